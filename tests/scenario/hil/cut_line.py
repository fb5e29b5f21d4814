"""A firmware process behind a pseudo-terminal, whose line is cut or whose board is reset on the way.

    cut_line.py PORT cut|reset BYTES FIRMWARE      PORT: a name that is made for the terminal

After so many bytes from the host the terminal goes away, or the process begins anew.
"""
import os
import pty
import select
import subprocess
import sys
import tty

port, what, after, firmware = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
ours, theirs = pty.openpty()
tty.setraw(theirs)
os.symlink(os.ttyname(theirs), port)


def start():
    return subprocess.Popen([firmware], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


board = start()
taken = 0
while True:
    ready, _, _ = select.select([ours, board.stdout], [], [], 20)
    if not ready:
        break
    if ours in ready:
        said = os.read(ours, 4096)
        board.stdin.write(said)
        taken += len(said)
    if board.stdout in ready:
        os.write(ours, os.read(board.stdout.fileno(), 4096))
    if taken > after:
        board.kill()
        board.wait()
        if what == "cut":
            break
        board, taken = start(), -(10**9)
os.close(theirs)
os.close(ours)
