export function addStates(target: usize, other: usize, sizeBytes: u32): void {
  for (let at: u32 = 0; at < sizeBytes; at += 16) {
    v128.store(target + at, f64x2.add(v128.load(target + at), v128.load(other + at)));
  }
}

export function leastStates(target: usize, other: usize, sizeBytes: u32): void {
  for (let at: u32 = 0; at < sizeBytes; at += 16) {
    v128.store(target + at, f64x2.pmin(v128.load(target + at), v128.load(other + at)));
  }
}

export function orBits(target: usize, other: usize, sizeBytes: u32): void {
  for (let at: u32 = 0; at < sizeBytes; at += 16) {
    v128.store(target + at, v128.or(v128.load(target + at), v128.load(other + at)));
  }
}

export function addCounts(target: usize, other: usize, sizeBytes: u32): void {
  for (let at: u32 = 0; at < sizeBytes; at += 16) {
    v128.store(target + at, i32x4.add(v128.load(target + at), v128.load(other + at)));
  }
}

export function countBits(bits: usize, sizeBytes: u32): f64 {
  let low: u64 = 0;
  let high: u64 = 0;
  for (let at: u32 = 0; at < sizeBytes; at += 16) {
    low += popcnt(load<u64>(bits + at));
    high += popcnt(load<u64>(bits + at, 8));
  }
  return <f64>(low + high);
}
