/* What boards, Arduino and C may have defined before our headers: each breaks whoever is not aware. */
#define HIGH 0x1
#define LOW 0x0
#define INPUT 0x0
#define OUTPUT 0x1
#define INPUT_PULLUP 0x2
#define PI 3.1415926535897932384626433832795
#define HALF_PI 1.5707963267948966192313216916398
#define TWO_PI 6.283185307179586476925286766559
#define DEG_TO_RAD 0.017453292519943295769236907684886
#define RAD_TO_DEG 57.295779513082320876798154814105
#define EULER 2.718281828459045235360287471352
#define SERIAL 0x0
#define DISPLAY 0x1
#define LSBFIRST 0
#define MSBFIRST 1
#define CHANGE 1
#define FALLING 2
#define RISING 3
#define DEFAULT 1
#define EXTERNAL 0
#define INTERNAL 3
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define abs(x) ((x) > 0 ? (x) : -(x))
#define constrain(amt, low, high) ((amt) < (low) ? (low) : ((amt) > (high) ? (high) : (amt)))
#define round(x) ((x) >= 0 ? (long)((x) + 0.5) : (long)((x)-0.5))
#define radians(deg) ((deg)*DEG_TO_RAD)
#define degrees(rad) ((rad)*RAD_TO_DEG)
#define sq(x) ((x) * (x))
#define interrupts() sei()
#define noInterrupts() cli()
#define lowByte(w) ((uint8_t)((w)&0xff))
#define highByte(w) ((uint8_t)((w) >> 8))
#define bitRead(value, bit) (((value) >> (bit)) & 0x01)
#define bitSet(value, bit) ((value) |= (1UL << (bit)))
#define bit(b) (1UL << (b))
#define word(...) makeWord(__VA_ARGS__)
#define boolean bool
#define byte unsigned char
#define F(string_literal) (reinterpret_cast<const __FlashStringHelper *>(PSTR(string_literal)))
#define PSTR(str) (str)
#define PROGMEM
#define LED_BUILTIN 13
#define SDA 18
#define SCL 19
#define A0 14
#define A1 15
#define A2 16
#define A3 17
#define A4 18
#define A5 19
#define A6 20
#define A7 21
#define D0 3
#define D1 1
#define D2 16
#define D3 5
#define D4 4
#define D5 14
#define D6 12
#define D7 13
#define D8 0
#define D9 2
#define D10 15
#define D13 14
#define C0 (1 << 0)
#define C1 (1 << 1)
#define R0 (*(volatile unsigned char *)0)
#define R1 (*(volatile unsigned char *)1)
#define R2 (*(volatile unsigned char *)2)
#define R3 (*(volatile unsigned char *)3)
#define S1 31
#define S2 32
#define T0 0x40
#define T1 0x41
#define T2 0x42
#define L0 0
#define L1 1
#define U1 1
#define I _Complex_I
#define complex _Complex
#define imaginary _Imaginary
#define I1 1
#define I2 2
#define N 10
#define M 20
#define R 30
#define S 40
#define T 50
#define X 60
#define Y 70
#define Z 80
#define A 90
#define B 100
#define C 110
#define D 120
#define G 9.81
#define H 130
#define J 140
#define K 150
#define L 160
#define P 170
#define Q 180
#define U 190
#define V 200
#define W 210
#define E 220
#define O 230
#define BIT(n) (1u << (n))
#define BIT0 1
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define CLAMP(v, lo, hi) (MIN(MAX(v, lo), hi))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define count_of(a) ARRAY_SIZE(a)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define UNUSED(x) ((void)(x))
#define TRUE 1
#define FALSE 0
#define OK 0
#define ERROR -1
#define SUCCESS 0
#define ROWS 4
#define COLS 20
#define SIZE 16
#define POWER 5
#define restrict __restrict__
#define near
#define far
#define small char
#define swap(a, b) do { int t = a; a = b; b = t; } while (0)
#define clamp(x, a, b) constrain(x, a, b)
#define sign(x) ((x) > 0 ? 1 : -1)
#define square(x) ((x) * (x))
#define map(x) (x)
#define random(x) (x)
#define log(x) printf(x)
#define popcount(x) __builtin_popcount(x)
