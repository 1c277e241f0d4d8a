export function addSteps(
  values: usize,
  rowCount: i32,
  first: f64,
  steps: usize,
  stepCount: i32,
  vector: usize,
): void {
  const end = steps + (stepCount << 4);
  const firsts = f64x2.splat(first);
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const low = v128.load(values);
    const high = v128.load(values, 16);
    let lowSum = firsts;
    let highSum = firsts;
    for (let step = steps; step < end; step += 16) {
      const from = v128.load_splat<u64>(step);
      const added = v128.load_splat<u64>(step, 8);
      lowSum = f64x2.add(lowSum, v128.and(added, f64x2.ge(low, from)));
      highSum = f64x2.add(highSum, v128.and(added, f64x2.ge(high, from)));
    }
    v128.store(vector, f64x2.add(low, lowSum));
    v128.store(vector, f64x2.add(high, highSum), 16);
    values += 32;
    vector += 32;
  }
}

/**
 * Returns a position in a cycle of `count` periods, such as the weekday. `length` is the length of a period, and the
 * first position is `first`.
 */
function placeInCycle(values: v128, shift: v128, length: v128, count: v128, first: v128): v128 {
  const passed = f64x2.floor(f64x2.div(f64x2.add(values, shift), length));
  const cycles = f64x2.floor(f64x2.div(passed, count));
  return f64x2.add(f64x2.sub(passed, f64x2.mul(cycles, count)), first);
}

export function placesInCycle(
  values: usize,
  rowCount: i32,
  shift: f64,
  length: f64,
  count: f64,
  first: f64,
  vector: usize,
): void {
  const shifts = f64x2.splat(shift);
  const lengths = f64x2.splat(length);
  const counts = f64x2.splat(count);
  const firsts = f64x2.splat(first);
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const low = v128.load(values);
    const high = v128.load(values, 16);
    v128.store(vector, placeInCycle(low, shifts, lengths, counts, firsts));
    v128.store(vector, placeInCycle(high, shifts, lengths, counts, firsts), 16);
    values += 32;
    vector += 32;
  }
}

/** Returns the number of periods of `length` that have passed, as an index into a table; 0 for NaN. */
function tablePlaces(values: v128, shift: v128, length: v128): v128 {
  const passed = f64x2.floor(f64x2.div(f64x2.add(values, shift), length));
  return i32x4.trunc_sat_f64x2_s_zero(passed);
}

export function lookupSteps(
  values: usize,
  rowCount: i32,
  shift: f64,
  length: f64,
  table: usize,
  vector: usize,
): void {
  const shifts = f64x2.splat(shift);
  const lengths = f64x2.splat(length);
  for (; rowCount >= 2; rowCount -= 2) {
    const places = tablePlaces(v128.load(values), shifts, lengths);
    store<f64>(vector, load<f64>(table + ((<usize>i32x4.extract_lane(places, 0)) << 3)));
    store<f64>(vector, load<f64>(table + ((<usize>i32x4.extract_lane(places, 1)) << 3)), 8);
    values += 16;
    vector += 16;
  }
  if (rowCount > 0) {
    const places = tablePlaces(v128.load_splat<u64>(values), shifts, lengths);
    store<f64>(vector, load<f64>(table + ((<usize>i32x4.extract_lane(places, 0)) << 3)));
  }
}
