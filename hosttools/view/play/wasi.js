// What a WebAssembly module of wasi-libc asks of its system: files that are only read, by name, in one
// folder; standard output and error as text; a clock. Everything else is refused.
const kOk = 0;
const kBadFile = 8;
const kMissing = 44;
const kNotSupported = 58;
const kRoot = 3;  // the folder's descriptor
const kFolder = 3;
const kRegular = 4;

// `files`: a Map from names to Uint8Array. `tell`: takes text.
export function makeWasi(files, tell) {
  let memory;
  const open = new Map();  // descriptor -> {bytes, at}
  let next = kRoot + 1;
  const view = () => new DataView(memory.buffer);
  const bytesAt = (at, size) => new Uint8Array(memory.buffer, at, size);
  const textAt = (at, size) => new TextDecoder().decode(bytesAt(at, size));
  const vectors = (at, count) => Array.from({ length: count }, (_, i) => [view().getUint32(at + 8 * i, true), view().getUint32(at + 8 * i + 4, true)]);
  const putStatus = (at, type, size) => {
    bytesAt(at, 64).fill(0);
    view().setUint8(at + 16, type);
    view().setBigUint64(at + 32, BigInt(size), true);
    return kOk;
  };
  const system = {
    fd_prestat_get(fd, at) {
      if (fd !== kRoot) return kBadFile;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return kOk;
    },
    fd_prestat_dir_name(fd, at) {
      bytesAt(at, 1)[0] = '/'.charCodeAt(0);
      return kOk;
    },
    fd_fdstat_get(fd, at) {
      bytesAt(at, 24).fill(0);
      view().setUint8(at, fd === kRoot ? kFolder : open.has(fd) ? kRegular : 2);
      view().setBigUint64(at + 8, ~0n, true);
      view().setBigUint64(at + 16, ~0n, true);
      return kOk;
    },
    path_open(fd, flags, name, size, oflags, rights, inheriting, fdflags, at) {
      const bytes = files.get(textAt(name, size));
      if (!bytes) return kMissing;
      open.set(next, { bytes, at: 0 });
      view().setUint32(at, next++, true);
      return kOk;
    },
    path_filestat_get(fd, flags, name, size, at) {
      const bytes = files.get(textAt(name, size));
      return bytes ? putStatus(at, kRegular, bytes.length) : kMissing;
    },
    fd_read(fd, at, count, read) {
      const file = open.get(fd);
      if (!file) return kBadFile;
      let sum = 0;
      for (const [to, size] of vectors(at, count)) {
        const part = file.bytes.subarray(file.at, file.at + size);
        bytesAt(to, size).set(part);
        file.at += part.length;
        sum += part.length;
      }
      view().setUint32(read, sum, true);
      return kOk;
    },
    fd_write(fd, at, count, written) {
      if (fd !== 1 && fd !== 2) return kBadFile;
      let sum = 0;
      for (const [from, size] of vectors(at, count)) {
        tell(textAt(from, size));
        sum += size;
      }
      view().setUint32(written, sum, true);
      return kOk;
    },
    fd_close: (fd) => (open.delete(fd) ? kOk : kBadFile),
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return kOk;
    },
    environ_get: () => kOk,
    clock_time_get(id, precision, at) {
      view().setBigUint64(at, BigInt(Math.round(1e6 * performance.now())), true);
      return kOk;
    },
    proc_exit(code) {
      throw new Error(`the solver ended with ${code}`);
    },
  };
  // what the module names and is not above
  const imports = new Proxy(system, { get: (own, name) => own[name] ?? (() => kNotSupported) });
  return { imports, use: (instance) => { memory = instance.exports.memory; } };
}
