import { compileDistinctCodes } from "../folds/distinctCodes.ts";
import type { KeyPart } from "../keys/keyChain.ts";
import { compileNumbering, type NumberedKey } from "../keys/numbering.ts";
import { compileComputedCodes } from "../rows/computedCodes.ts";
import type { Compilation, Vector } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import type { Arena } from "../task/arena.ts";
import { kindOf, type HashInput } from "./hashInputs.ts";

/** The values of the active rows in a column of `HashInputs`. */
export interface HashColumn {
  readonly kind: KeyPart;
  /** The strings that were computed so far; none if no strings are computed. */
  readonly texts: readonly string[];
  openRowGroup(): void;
  /** Copies the values to an address in an arena. */
  copy(arena: Arena, to: number): void;
}

/** Compiles a column. */
export function compileHashColumn(input: HashInput, compilation: Compilation): HashColumn {
  const kind = kindOf(input);
  if (input.of === "value")
    return plainColumn(kind, compileVector(input.value, input.decimals, compilation), compilation);
  if (input.of === "key") {
    const { part } = input;
    if (part.kind === "number") return numberedColumn(part.keys, compilation);
    return part.kind === "computed"
      ? computedColumn(part.key.of, compilation)
      : plainColumn(kind, compileVector(part.key.of, -1, compilation), compilation);
  }
  const { distinct } = input;
  if (distinct.kind === "number")
    return plainColumn(kind, compileVector(distinct.of, -1, compilation), compilation);
  return distinct.kind === "computed"
    ? computedColumn(distinct.of, compilation)
    : plainColumn(kind, compileDistinctCodes(distinct, compilation), compilation);
}

function plainColumn(kind: KeyPart, vector: Vector, { source }: Compilation): HashColumn {
  const width = kind === "double" ? 8 : 4;
  return {
    kind,
    texts: [],
    openRowGroup: () => undefined,
    copy: ({ u8 }, to) => {
      const from = vector.read();
      u8.set(source.arena.u8.subarray(from, from + source.rowCount * width), to);
    },
  };
}

function computedColumn(
  of: Parameters<typeof compileComputedCodes>[0],
  compilation: Compilation,
): HashColumn {
  const codes = compileComputedCodes(of, compilation);
  const { kind, openRowGroup, copy } = plainColumn("number", codes, compilation);
  return {
    kind,
    get texts() {
      return codes.texts;
    },
    openRowGroup,
    copy,
  };
}

function numberedColumn(keys: readonly NumberedKey[], compilation: Compilation): HashColumn {
  const numbering = compileNumbering(keys, compilation);
  const { source } = compilation;
  return {
    ...plainColumn("number", numbering, compilation),
    openRowGroup: () => numbering.openRowGroup(),
    copy: ({ u8, u32 }, to) => {
      const { rowCount } = source;
      const from = numbering.read();
      u8.set(source.arena.u8.subarray(from, from + rowCount * 4), to);
      const { constant } = numbering;
      if (constant > 0)
        for (let row = 0, at = to / 4; row < rowCount; row++) u32[at + row] += constant;
    },
  };
}
