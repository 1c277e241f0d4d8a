import type { StoredWidth } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundKey } from "../../plan/boundPlan.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileFewNumbering, type FewNumbers } from "./fewNumbering.ts";
import type { KeyNumbering } from "./keyNumbering.ts";
import { compilePeriodNumbering } from "./periodNumbering.ts";
import { compileTextNumbering } from "./textNumbering.ts";
import { compileWholeNumbering } from "./wholeNumbering.ts";

export type NumberedKey = Exclude<BoundKey, { kind: "value" | "computed" }>;

/** The group number of each row: the sum over all keys of the key's number times its stride. */
export interface Numbering {
  /** Prepares for a row group. Call it for each row group, before any other function. */
  openRowGroup(): void;
  /**
   * The part of the group number from the keys that have a single value in the row group. If `isConstant` is true, this
   * part is the whole group number.
   */
  readonly constant: number;
  readonly isConstant: boolean;
  /** Returns the address of the remaining parts of the group numbers, 32 bits per active row. */
  read(): number;
  /**
   * Describes the group numbers, divided by the stride, as stored codes. Returns undefined unless all rows are active
   * and exactly one key differs between the rows.
   */
  storedCodes(): StoredCodes | undefined;
  /** Like `storedCodes`, but the result includes the address of the codes. */
  stored(): StoredNumbers | undefined;
  /** Returns the number of groups for which `few` returns numbers; 0 if `few` must not be called. */
  fewGroupCount(): number;
  /** Returns whether `few` reads only stored bytes. It then also accepts all rows of a row group at once. */
  isFewStored(): boolean;
  /**
   * Numbers the active rows with one byte each, within the groups of the row group. Call it if `fewGroupCount` is
   * above 0.
   */
  few(): FewNumbers;
}

interface StoredCodes {
  readonly width: StoredWidth;
  readonly stride: number;
  /** The greatest code in the row group. */
  readonly maximum: number;
}

export interface StoredNumbers extends StoredCodes {
  readonly address: number;
}

/** Compiles the numbering of groups by keys; the first key varies fastest. */
export function compileNumbering(
  keys: readonly NumberedKey[],
  compilation: Compilation,
): Numbering {
  const { source, workspace } = compilation;
  const place = workspace.reserve(vectorSize * 4);
  let stride = 1;
  const compiled = keys.map((key) => {
    const numbering = compileKey(key, stride, compilation);
    const entry = { ...numbering, stride, cardinality: key.cardinality };
    stride *= key.cardinality;
    return entry;
  });
  let constant = 0;
  let varying: typeof compiled = [];
  let stamp = -1;
  let fewStamp = -1;
  const read = (): number => {
    const to = source.base + place;
    if (stamp === source.stamp) return to;
    stamp = source.stamp;
    if (varying.length === 0) source.arena.u32.fill(0, to / 4, to / 4 + source.rowCount);
    for (let index = 0; index < varying.length; index++)
      varying[index].write(to, index === 0 ? 1 : 0);
    return to;
  };
  const storedKey = () => {
    const [only] = varying;
    if (source.isSelected || varying.length !== 1 || only.column === undefined) return undefined;
    const { column, stride } = only;
    const codes = source.stored(column);
    if (codes?.kind !== "integers") return undefined;
    return { codes, width: codes.width, stride, maximum: codes.segment.maximum };
  };
  const few = compileFewNumbering(compilation, read);
  const openFew = (): void => {
    if (fewStamp === source.rowGroupStamp) return;
    fewStamp = source.rowGroupStamp;
    const last = varying.reduce((sum, key) => sum + (key.cardinality - 1) * key.stride, 0);
    few.openRowGroup(
      varying.map((key) => key.few?.()),
      last + 1,
    );
  };
  return {
    get constant() {
      return constant;
    },
    get isConstant() {
      return varying.length === 0;
    },
    openRowGroup: () => {
      constant = 0;
      varying = [];
      stamp = -1;
      for (const key of compiled) {
        const number = key.openRowGroup();
        if (number === undefined) varying.push(key);
        else constant += number * key.stride;
      }
    },
    read,
    storedCodes: storedKey,
    stored: () => {
      const key = storedKey();
      if (!key) return undefined;
      const { codes, ...stored } = key;
      return { ...stored, address: codes.address };
    },
    fewGroupCount: () => {
      openFew();
      return few.groupCount;
    },
    isFewStored: () => {
      openFew();
      return few.isStored;
    },
    few: () => {
      openFew();
      return few.read();
    },
  };
}

function compileKey(key: NumberedKey, stride: number, compilation: Compilation): KeyNumbering {
  switch (key.kind) {
    case "text":
      return compileTextNumbering(key, stride, compilation);
    case "whole":
      return compileWholeNumbering(key, stride, compilation);
    case "period":
      return compilePeriodNumbering(key, stride, compilation);
  }
}
