import { one } from "./constants";

/** Replaces infinities by NaN. Subtracting 0 keeps every finite value, even -0. */
function finite(values: v128): v128 {
  return f64x2.sub(values, f64x2.sub(values, values));
}

/** The functions of two operands. */
const enum Operation {
  Add,
  Subtract,
  Multiply,
  Divide,
  Coalesce,
  NullIf,
  Least,
  Greatest,
}

@inline
function applied(operation: Operation, left: v128, right: v128): v128 {
  if (operation == Operation.Add) return finite(f64x2.add(left, right));
  if (operation == Operation.Subtract) return finite(f64x2.sub(left, right));
  if (operation == Operation.Multiply) return finite(f64x2.mul(left, right));
  if (operation == Operation.Divide) return finite(f64x2.div(left, right));
  if (operation == Operation.Coalesce) return present(left, right);
  if (operation == Operation.NullIf) return different(left, right);
  if (operation == Operation.Least) return lesser(left, right);
  return greater(left, right);
}

/** Applies a function to each row. The compiler copies the loop into each kernel, where the function is a constant. */
@inline
function combine(
  operation: Operation,
  leftAt: usize,
  leftStep: usize,
  rightAt: usize,
  rightStep: usize,
  rowCount: i32,
  vectorAt: usize,
): void {
  let left = leftAt;
  let right = rightAt;
  let vector = vectorAt;
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const low = applied(operation, v128.load(left), v128.load(right));
    const high = applied(operation, v128.load(left + leftStep), v128.load(right + rightStep));
    v128.store(vector, low);
    v128.store(vector, high, 16);
    left += leftStep << 1;
    right += rightStep << 1;
    vector += 32;
  }
}

export function add(
  left: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  rowCount: i32,
  vector: usize,
): void {
  combine(Operation.Add, left, leftStep, right, rightStep, rowCount, vector);
}

export function subtract(
  left: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  rowCount: i32,
  vector: usize,
): void {
  combine(Operation.Subtract, left, leftStep, right, rightStep, rowCount, vector);
}

export function multiply(
  left: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  rowCount: i32,
  vector: usize,
): void {
  combine(Operation.Multiply, left, leftStep, right, rightStep, rowCount, vector);
}

export function divide(
  left: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  rowCount: i32,
  vector: usize,
): void {
  combine(Operation.Divide, left, leftStep, right, rightStep, rowCount, vector);
}

/** Returns the left values, with the right ones in place of NaN. */
function present(left: v128, right: v128): v128 {
  return v128.bitselect(left, right, f64x2.eq(left, left));
}

export function coalesce(
  left: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  rowCount: i32,
  vector: usize,
): void {
  combine(Operation.Coalesce, left, leftStep, right, rightStep, rowCount, vector);
}

/** Returns the left values, with NaN where they equal the right ones. A NaN has all bits set. */
function different(left: v128, right: v128): v128 {
  return v128.or(left, f64x2.eq(left, right));
}

export function nullIf(
  left: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  rowCount: i32,
  vector: usize,
): void {
  combine(Operation.NullIf, left, leftStep, right, rightStep, rowCount, vector);
}

/** Returns the lesser values; NaN if either is NaN. Of equal values, returns the left one. */
function lesser(left: v128, right: v128): v128 {
  return v128.or(f64x2.pmin(left, right), f64x2.ne(right, right));
}

export function least(
  left: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  rowCount: i32,
  vector: usize,
): void {
  combine(Operation.Least, left, leftStep, right, rightStep, rowCount, vector);
}

/** Returns the greater values; NaN if either is NaN. Of equal values, returns the left one. */
function greater(left: v128, right: v128): v128 {
  return v128.or(f64x2.pmax(left, right), f64x2.ne(right, right));
}

export function greatest(
  left: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  rowCount: i32,
  vector: usize,
): void {
  combine(Operation.Greatest, left, leftStep, right, rightStep, rowCount, vector);
}

export function abs(values: usize, rowCount: i32, vector: usize): void {
  for (let row: i32 = 0; row < rowCount; row += 4) {
    v128.store(vector, f64x2.abs(v128.load(values)));
    v128.store(vector, f64x2.abs(v128.load(values, 16)), 16);
    values += 32;
    vector += 32;
  }
}

export function floor(values: usize, rowCount: i32, vector: usize): void {
  for (let row: i32 = 0; row < rowCount; row += 4) {
    v128.store(vector, f64x2.floor(v128.load(values)));
    v128.store(vector, f64x2.floor(v128.load(values, 16)), 16);
    values += 32;
    vector += 32;
  }
}

export function ceil(values: usize, rowCount: i32, vector: usize): void {
  for (let row: i32 = 0; row < rowCount; row += 4) {
    v128.store(vector, f64x2.ceil(v128.load(values)));
    v128.store(vector, f64x2.ceil(v128.load(values, 16)), 16);
    values += 32;
    vector += 32;
  }
}

/** Truncates scaled values toward zero, after moving those away from zero whose fraction is at least `least`. */
function cut(values: v128, factors: v128, least: v128, signs: v128, ones: v128): v128 {
  const scaled = f64x2.mul(values, factors);
  const whole = f64x2.trunc(scaled);
  const isMoved = f64x2.ge(f64x2.abs(f64x2.sub(scaled, whole)), least);
  // Adding 0 with the sign of the value keeps -0.
  const moved = v128.or(v128.and(ones, isMoved), v128.and(scaled, signs));
  const rounded = f64x2.div(f64x2.add(whole, moved), factors);
  // A value whose product is not finite has no fraction.
  const isFinite = f64x2.eq(f64x2.sub(scaled, scaled), f64x2.splat(0));
  return v128.bitselect(rounded, values, isFinite);
}

export function cutDecimals(
  values: usize,
  rowCount: i32,
  factor: f64,
  least: f64,
  vector: usize,
): void {
  const factors = f64x2.splat(factor);
  const leasts = f64x2.splat(least);
  const ones = f64x2.splat(one);
  const signs = f64x2.splat(-0.0);
  for (let row: i32 = 0; row < rowCount; row += 2) {
    v128.store(vector, cut(v128.load(values), factors, leasts, signs, ones));
    values += 16;
    vector += 16;
  }
}

export function choose(
  mask: usize,
  then: usize,
  thenStep: usize,
  otherwise: usize,
  otherwiseStep: usize,
  rowCount: i32,
  vector: usize,
): void {
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const halves = i16x8.extend_low_i8x16_u(v128.load_zero<u32>(mask));
    const chosen = i32x4.neg(i32x4.extend_low_i16x8_u(halves));
    const isLow = i64x2.extend_low_i32x4_s(chosen);
    const isHigh = i64x2.extend_high_i32x4_s(chosen);
    const low = v128.bitselect(v128.load(then), v128.load(otherwise), isLow);
    const high = v128.bitselect(
      v128.load(then + thenStep),
      v128.load(otherwise + otherwiseStep),
      isHigh,
    );
    v128.store(vector, low);
    v128.store(vector, high, 16);
    mask += 4;
    then += thenStep << 1;
    otherwise += otherwiseStep << 1;
    vector += 32;
  }
}

export function chooseCodes(
  mask: usize,
  then: usize,
  thenStep: usize,
  otherwise: usize,
  otherwiseStep: usize,
  rowCount: i32,
  codes: usize,
): void {
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const halves = i16x8.extend_low_i8x16_u(v128.load_zero<u32>(mask));
    const chosen = i32x4.neg(i32x4.extend_low_i16x8_u(halves));
    v128.store(codes, v128.bitselect(v128.load(then), v128.load(otherwise), chosen));
    mask += 4;
    then += thenStep;
    otherwise += otherwiseStep;
    codes += 16;
  }
}
