import { Directory } from "../../../engine/column/segment/directory.ts";
import { OpenRowGroup } from "../../../engine/column/openRowGroup.ts";
import { sealCodes, sealNumbers } from "../../../engine/column/seal/sealSegment.ts";
import type { Segment } from "../../../engine/column/segment/segment.ts";
import { addCodes, addNumbers, emptyZoneMap } from "../../../engine/column/seal/zoneMap.ts";
import type { Memory } from "../../../engine/memory/memory.ts";
import type { BoundColumn } from "../../../engine/plan/boundPlan.ts";
import type { Random } from "../../support/random.ts";

/** A column as operators read it, and its plain values by row group: doubles with NaN for null, or stored codes. */
export interface GeneratedColumn {
  readonly bound: BoundColumn;
  readonly groups: readonly Float64Array[];
  readonly segments: readonly Segment[];
}

const dayMs = 86_400_000;

/** Kinds of numbers in a row group. Together, they cover every form and width of a sealed segment. */
const numberKinds: readonly ((random: Random) => () => number)[] = [
  () => () => NaN,
  (random) => constant(random.below(9) - 4),
  () => constant(0.25),
  ...[200, 60_000, 2 ** 22, 2 ** 31].map((range) => (random: Random) => {
    const bias = random.below(2000) - 1000;
    return () => bias + random.below(range);
  }),
  (random) => () => (random.below(400) - 200) / 100,
  (random) => () => random.below(2 ** 24) / 1000,
  (random) => () => (random.below(300) + 5) * 60_000,
  (random) => () => Math.fround(random.below(2 ** 20) / 3),
  (random) => () => (random.below(2 ** 20) - 2 ** 19) / 3,
  (random) => () => random.pick([-0, 0, 1, -1]),
];

/** Kinds of instants in a row group, from 2019 to 2024. */
const instantKinds: readonly ((random: Random) => () => number)[] = [
  () => () => NaN,
  (random) => constant(Date.UTC(2020, random.below(12), 3)),
  (random) => () => Date.UTC(2019, 0, 1) + random.below(1900) * dayMs,
  (random) => () => Date.UTC(2020, 9, 20) + random.below(400) * 1_800_000,
  (random) => () => Date.UTC(2020, 2, 28) + random.below(4) * dayMs + random.below(dayMs),
  (random) => () => Date.UTC(2019, 0, 1) + random.below(1900) * dayMs + random.below(86_400) * 1000,
  (random) => () => Date.UTC(2019, 0, 1) + random.below(1900) * dayMs + random.below(dayMs),
  (random) => () =>
    Date.UTC(2019, 0, 1) + random.below(1900) * dayMs + random.below(24) * 3_600_000,
];

const constant = (value: number) => () => value;

/** Index of the kind whose instants are all at midnight. */
const wholeDays = 2;

/** Places generated row groups in a memory. With `hasTail`, the last row group stays open. */
export class ColumnMaker {
  readonly #random: Random;
  readonly #memory: Memory;
  readonly #rowCounts: readonly number[];
  readonly #hasTail: boolean;

  constructor(random: Random, memory: Memory, rowCounts: readonly number[], hasTail = true) {
    this.#random = random;
    this.#memory = memory;
    this.#rowCounts = rowCounts;
    this.#hasTail = hasTail;
  }

  /**
   * Returns a column of numbers whose kind can change from row group to row group. Some row groups contain nulls unless
   * `hasNulls` is false.
   */
  numbers(kinds: readonly number[] = [...numberKinds.keys()], hasNulls = true): GeneratedColumn {
    return this.#make("number", hasNulls, () => numberKinds[this.#random.pick(kinds)]);
  }

  instants(hasNulls = true): GeneratedColumn {
    return this.#make("datetime", hasNulls, () => this.#random.pick(instantKinds));
  }

  /** Returns a column with exactly the given doubles, by row group. */
  exactly(
    groups: readonly Float64Array[],
    type: "number" | "datetime" = "number",
  ): GeneratedColumn {
    return this.#place(groups, (values) =>
      sealNumbers(values, addNumbers(emptyZoneMap, values), type, this.#target()),
    );
  }

  /**
   * Returns a column of stored codes below `cardinality`, in widths of 1 to 4 bytes. Some row groups contain a single
   * code or only nulls.
   */
  codes(cardinality: number, hasNulls = true): GeneratedColumn {
    const random = this.#random;
    const groups = this.#rowCounts.map((rowCount) => {
      const kind = random.below(6);
      const nullShare = hasNulls ? random.pick([0, 0, 0.1]) : 0;
      const only = 1 + random.below(cardinality - 1);
      return Float64Array.from({ length: rowCount }, () => {
        if ((kind === 0 && hasNulls) || random.chance(nullShare)) return 0;
        return kind === 1 ? only : 1 + random.below(cardinality - 1);
      });
    });
    return this.#place(
      groups,
      (values) => {
        const codes = Int32Array.from(values);
        const zone = addCodes(emptyZoneMap, codes);
        if (zone.nullCount === values.length) return sealCodes(codes, zone, this.#target());
        const largest = random.pick([zone.maximum, 2 ** 15, 2 ** 20, 2 ** 30]);
        const wide = { ...zone, maximum: Math.max(zone.maximum, largest) };
        return { ...sealCodes(codes, wide, this.#target()), maximum: zone.maximum };
      },
      "text",
    );
  }

  #make(
    type: "number" | "datetime",
    hasNulls: boolean,
    pick: () => (random: Random) => () => number,
  ): GeneratedColumn {
    const random = this.#random;
    const isDays = new Set<Float64Array>();
    const groups = this.#rowCounts.map((rowCount) => {
      let kind = pick();
      while (!hasNulls && Number.isNaN(kind(random)())) kind = pick();
      const make = kind(random);
      const nullShare = hasNulls ? random.pick([0, 0, 0.1, 0.9]) : 0;
      const values = Float64Array.from({ length: rowCount }, () =>
        random.chance(nullShare) ? NaN : make(),
      );
      if (kind === instantKinds[wholeDays]) isDays.add(values);
      return values;
    });
    return this.#place(
      groups,
      (values) => {
        const zone = addNumbers(emptyZoneMap, values);
        const segment = sealNumbers(values, zone, type, this.#target());
        // Whole days can also be stored as days without times.
        const isDay = isDays.has(values) && segment.form === "whole" && segment.scale === dayMs;
        return isDay && random.chance(0.5)
          ? { ...segment, form: "dayTime", bias: segment.bias / dayMs, timeScale: 1 }
          : segment;
      },
      type,
    );
  }

  #place(
    groups: readonly Float64Array[],
    seal: (values: Float64Array) => Segment,
    type: "number" | "datetime" | "text" = "number",
  ): GeneratedColumn {
    const directory = new Directory(this.#memory, 0);
    const sealed = this.#hasTail ? groups.slice(0, -1) : groups;
    const segments = sealed.map(seal);
    for (const segment of segments) directory.push(segment);
    let tail: Segment | undefined;
    if (this.#hasTail) {
      const open = new OpenRowGroup(this.#memory, type);
      const values = groups[groups.length - 1];
      open.append(type === "text" ? Int32Array.from(values) : values, this.#target().near);
      tail = open.segment();
    }
    return {
      bound: { directory: directory.place, sealedCount: segments.length, tail },
      groups,
      segments: tail ? [...segments, tail] : segments,
    };
  }

  #target() {
    const { arenas } = this.#memory;
    const near = arenas.length > 1 ? this.#random.below(arenas.length) : undefined;
    return { memory: this.#memory, near };
  }
}
