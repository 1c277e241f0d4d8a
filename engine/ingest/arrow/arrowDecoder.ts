import { DataType, DateUnit, Precision, TimeUnit } from "apache-arrow";
import type { Decoders } from "../../kernels/decoders.ts";
import { powerOf } from "../decode/readValues.ts";

/** The kernel that decodes the values of an Arrow type. */
export interface ArrowDecoder {
  readonly name: keyof {
    [Name in keyof Decoders as Name extends `read${string}` ? Name : never]: true;
  };
  readonly sizeBytes: number;
  /** Divisor that converts stored decimals to their values: a power of ten. */
  readonly power?: number;
}

/** Returns the decoder for values that are stored as plain arrays; undefined if there is none. */
export function arrowDecoder(type: DataType): ArrowDecoder | undefined {
  if (DataType.isInt(type)) {
    const sizeBytes = type.bitWidth / 8;
    const { bitWidth } = type;
    return { name: type.isSigned ? `readInt${bitWidth}` : `readUint${bitWidth}`, sizeBytes };
  }
  if (DataType.isFloat(type))
    return type.precision === Precision.DOUBLE
      ? { name: "readFloat64", sizeBytes: 8 }
      : type.precision === Precision.SINGLE
        ? { name: "readFloat32", sizeBytes: 4 }
        : undefined;
  if (DataType.isDecimal(type)) {
    const { bitWidth } = type;
    const power = powerOf(type.scale);
    const hasDecoder = power === power && (bitWidth === 32 || bitWidth === 64 || bitWidth === 128);
    return hasDecoder
      ? { name: `readDecimal${bitWidth}`, sizeBytes: bitWidth / 8, power }
      : undefined;
  }
  if (DataType.isTimestamp(type)) return { name: instantDecoders[type.unit], sizeBytes: 8 };
  if (!DataType.isDate(type)) return undefined;
  return type.unit === DateUnit.DAY
    ? { name: "readDays", sizeBytes: 4 }
    : { name: "readMilliseconds", sizeBytes: 8 };
}

const instantDecoders = {
  [TimeUnit.SECOND]: "readSeconds",
  [TimeUnit.MILLISECOND]: "readMilliseconds",
  [TimeUnit.MICROSECOND]: "readMicroseconds",
  [TimeUnit.NANOSECOND]: "readNanoseconds",
} as const;
