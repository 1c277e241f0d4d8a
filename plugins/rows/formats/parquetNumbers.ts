import type { SchemaElement } from "hyparquet";

/** Reads numbers in the encoding PLAIN. */
export interface PlainNumbers {
  /** Size of a value in bytes. */
  readonly sizeBytes: number;
  /** Fills `values` with the numbers that begin at the byte `from`. */
  read(view: DataView, from: number, values: Float64Array): void;
  /** Returns the number at the byte `at` with all its digits. Absent for numbers that doubles represent. */
  wholeAt?(view: DataView, at: number): bigint;
}

const high = 2 ** 32;
const latestMs = 8.64e15;

/**
 * Returns a reader for numbers, or for datetimes as milliseconds. It returns the same doubles as hyparquet with our
 * conversions. Undefined for types that need these conversions. `scale` is the number of decimals of a decimal column,
 * whose element has no decimal type.
 */
export function plainNumbers(
  element: SchemaElement,
  wanted: "numeric" | "datetime",
  scale?: number,
): PlainNumbers | undefined {
  const { type, logical_type: logical, converted_type: converted } = element;
  const kind = logical?.type ?? converted;
  if (wanted === "datetime") return plainInstants(element);
  if (scale !== undefined) return plainDecimals(type, scale);
  if (type === "DOUBLE" && kind === undefined) return doubles;
  if (type === "FLOAT" && kind === undefined) return floats;
  if (type !== "INT32" && type !== "INT64") return undefined;
  const ownBits = type === "INT32" ? 32 : 64;
  const integer = integerOf(element, ownBits);
  if (!integer) return undefined;
  const { isUnsigned, bitWidth } = integer;
  if (ownBits === 64) return bitWidth < 64 ? undefined : isUnsigned ? unsigned64 : signed64;
  if (bitWidth > 32) return undefined;
  // Unsigned integers of fewer bits are stored as non-negative numbers.
  return isUnsigned && bitWidth === 32 ? unsigned32 : signed32;
}

/** Returns the logical type of a whole number; undefined for other logical types. */
function integerOf(
  { logical_type: logical, converted_type: converted }: SchemaElement,
  ownBits: number,
): { readonly isUnsigned: boolean; readonly bitWidth: number } | undefined {
  if (logical?.type === "INTEGER")
    return { isUnsigned: !logical.isSigned, bitWidth: logical.bitWidth };
  if (logical) return undefined;
  if (converted === undefined) return { isUnsigned: false, bitWidth: ownBits };
  const match = /^(U?)INT_(\d+)$/.exec(converted);
  return match ? { isUnsigned: match[1] === "U", bitWidth: Number(match[2]) } : undefined;
}

function plainInstants({
  type,
  logical_type: logical,
  converted_type: converted,
}: SchemaElement): PlainNumbers | undefined {
  if (type === "INT32" && converted === "DATE") return days;
  if (type !== "INT64") return undefined;
  if (converted === "TIMESTAMP_MILLIS") return milliseconds;
  if (converted === "TIMESTAMP_MICROS") return microseconds;
  if (converted !== undefined || logical?.type !== "TIMESTAMP") return undefined;
  if (logical.unit === "MICROS") return microseconds;
  return logical.unit === "NANOS" ? nanoseconds : milliseconds;
}

const doubles: PlainNumbers = {
  sizeBytes: 8,
  read(view, from, values) {
    for (let index = 0; index < values.length; index++) {
      const value = view.getFloat64(from + index * 8, true);
      values[index] = value - value === 0 ? value + 0 : NaN;
    }
  },
};

const floats: PlainNumbers = {
  sizeBytes: 4,
  read(view, from, values) {
    for (let index = 0; index < values.length; index++) {
      const value = view.getFloat32(from + index * 4, true);
      values[index] = value - value === 0 ? value + 0 : NaN;
    }
  },
};

const signed32: PlainNumbers = {
  sizeBytes: 4,
  read(view, from, values) {
    for (let index = 0; index < values.length; index++)
      values[index] = view.getInt32(from + index * 4, true);
  },
};

const unsigned32: PlainNumbers = {
  sizeBytes: 4,
  read(view, from, values) {
    for (let index = 0; index < values.length; index++)
      values[index] = view.getUint32(from + index * 4, true);
  },
};

// The sum of the two halves is rounded once, to the nearest double, like the conversion of a bigint.
const signed64: PlainNumbers = {
  sizeBytes: 8,
  wholeAt: (view, at) => view.getBigInt64(at, true),
  read(view, from, values) {
    for (let index = 0; index < values.length; index++) {
      const place = from + index * 8;
      values[index] = view.getInt32(place + 4, true) * high + view.getUint32(place, true);
    }
  },
};

const unsigned64: PlainNumbers = {
  sizeBytes: 8,
  wholeAt: (view, at) => view.getBigUint64(at, true),
  read(view, from, values) {
    for (let index = 0; index < values.length; index++) {
      const place = from + index * 8;
      values[index] = view.getUint32(place + 4, true) * high + view.getUint32(place, true);
    }
  },
};

/** A power of ten is an exact double up to this exponent. */
const mostScale = 22;

function plainDecimals(type: SchemaElement["type"], scale: number): PlainNumbers | undefined {
  if (!(scale >= 0 && scale <= mostScale)) return undefined;
  const divisor = 10 ** scale;
  if (type === "INT32")
    return {
      sizeBytes: 4,
      read(view, from, values) {
        for (let index = 0; index < values.length; index++)
          values[index] = view.getInt32(from + index * 4, true) / divisor;
      },
    };
  if (type !== "INT64") return undefined;
  if (scale === 0) return signed64;
  return {
    sizeBytes: 8,
    read(view, from, values) {
      for (let index = 0; index < values.length; index++) {
        const place = from + index * 8;
        const digits = view.getInt32(place + 4, true) * high + view.getUint32(place, true);
        // The quotient of two exact doubles is the nearest double to the decimal.
        values[index] = Number.isSafeInteger(digits)
          ? digits / divisor
          : Number(`${view.getBigInt64(place, true)}e-${scale}`);
      }
    },
  };
}

const instant = (ms: number): number => (Math.abs(ms) <= latestMs ? ms : NaN);

const days: PlainNumbers = {
  sizeBytes: 4,
  read(view, from, values) {
    for (let index = 0; index < values.length; index++)
      values[index] = instant(view.getInt32(from + index * 4, true) * 86_400_000);
  },
};

const seconds: PlainNumbers = {
  sizeBytes: 8,
  read(view, from, values) {
    signed64.read(view, from, values);
    for (let index = 0; index < values.length; index++)
      values[index] = instant(values[index]! * 1000);
  },
};

const milliseconds: PlainNumbers = {
  sizeBytes: 8,
  read(view, from, values) {
    signed64.read(view, from, values);
    for (let index = 0; index < values.length; index++) values[index] = instant(values[index]!);
  },
};

const microseconds = dividedBy(1000);
const nanoseconds = dividedBy(1_000_000);

/** Divides 64-bit integers by `divisor`, rounded down, without creating a bigint. */
function dividedBy(divisor: number): PlainNumbers {
  return {
    sizeBytes: 8,
    read(view, from, values) {
      for (let index = 0; index < values.length; index++) {
        const place = from + index * 8;
        const upper = view.getInt32(place + 4, true);
        const whole = Math.floor(upper / divisor);
        // At most 10^6 times 2^32, which a double represents exactly.
        const rest = (upper - whole * divisor) * high + view.getUint32(place, true);
        let quotient = Math.floor(rest / divisor);
        if (quotient * divisor > rest) quotient--;
        values[index] = instant(whole * high + quotient);
      }
    },
  };
}

/** Readers by the form in which a number is stored. Instants become milliseconds, rounded down. */
export const storedNumbers = {
  signed64,
  unsigned64,
  days,
  seconds,
  milliseconds,
  microseconds,
  nanoseconds,
} satisfies Record<string, PlainNumbers>;
