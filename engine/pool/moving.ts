import { move, transferableSymbol, valueSymbol } from "piscina";

/** Marks a message for Piscina so that `buffers` are transferred with it instead of being copied. */
export function moving(message: object, buffers: readonly ArrayBuffer[]): unknown {
  if (buffers.length === 0) return message;
  return move({ [transferableSymbol]: buffers, [valueSymbol]: message });
}
