/*
 * Each entry of the kernel table declares what other code needs to know about a kernel: its type for callers, its
 * widths, and the call that warms it. The comment of an entry documents its kernel.
 */

/** Returns the export of a kernel whose name has the given ending. The ending stands for a width. */
export type ExportOf = <Kernel>(ending: string) => Kernel;

/** One export of the module. For example, `range3` is the variant of `range` with the ending `3`. */
export interface KernelVariant {
  readonly ending: string;
  /** The types that replace the type parameters of the AssemblyScript function. */
  readonly types: readonly string[];
}

/** A kernel with all its variants. `Opened` is the form that callers get. */
export interface KernelEntry<Opened> {
  /**
   * The AssemblyScript function that the variants instantiate.
   * @default the name of the entry
   */
  readonly generic?: string | undefined;
  readonly variants: readonly KernelVariant[];
  /** Arranges the exports in the form in which callers index them. */
  readonly open: (exportOf: ExportOf) => Opened;
  /** The calls that make V8 optimize the variants, or the name of the module that warms them with real data. */
  readonly warm: ((exportOf: ExportOf, scratch: WarmScratch) => void) | WarmedBy;
}

/** The module that warms a kernel through its real callers; "none" for kernels that are not warmed. */
export type WarmedBy = "ingest/warmSealing" | "warming/warmTexts" | "none";

/** Memory for warm calls: blocks of `warmRowCount` rows that nothing else uses. Initially, all bytes are zero. */
export interface WarmScratch {
  /** Address of 16 bytes per row that no kernel writes to. They serve as values, masks, selections and tables. */
  readonly zeros: number;
  /** Address of 16 bytes per row for outputs. */
  readonly out: number;
  /** Addresses of a hash table and of the number of its groups. Each has 1,024 bytes. */
  readonly slots: number;
  readonly count: number;
  /** Address of the keys of the groups. */
  readonly keys: number;
  /** Fills bytes with zeros again. */
  readonly clear: (address: number, sizeBytes: number) => void;
}

/** Number of rows per warm call. */
export const warmRowCount = 1024;

/**
 * Number of warm calls after which V8 optimizes a kernel. V8 counts how many bytes of code run, so a kernel that
 * handles many rows per iteration needs more calls. Measured with Node 26, with a margin.
 */
export const warmCalls = {
  fold: 170,
  bucket: 270,
  row: 350,
  few: 560,
  block: 1250,
  wide: 1600,
  byte: 2300,
} as const;

/**
 * Returns the number of warm calls for a kernel that handles 16 rows per iteration if values are 1 or 2 bytes wide, and
 * fewer rows if they are wider.
 */
export const callsByWidth = (width: number): number =>
  width < 3 ? warmCalls.byte : warmCalls.block;

interface Warmth<Kernel> {
  /** A call over `warmRowCount` rows, or the module that warms the kernel. */
  readonly warm: ((kernel: Kernel, scratch: WarmScratch) => void) | WarmedBy;
  /**
   * Number of calls: one number for all widths, or one per width, by the last width of a variant.
   * @default warmCalls.row
   */
  readonly calls?: number | ((width: number) => number);
}

interface Definition<Kernel> extends Warmth<Kernel> {
  readonly generic?: string;
}

/** A kernel for each width of stored whole numbers: 1, 2, 3 (packed little-endian) and 4 bytes. Index 0 is not used. */
export type ByWidth<Kernel> = readonly [undefined, Kernel, Kernel, Kernel, Kernel];

/** A kernel for each width of stored floats, 4 and 8 bytes. */
export interface ByFloat<Kernel> {
  readonly 4: Kernel;
  readonly 8: Kernel;
}

/** A kernel for each width of stored group numbers and, within it, for each width of stored values. */
export interface ByNumber<Kernel> {
  readonly 1: ByWidth<Kernel>;
  readonly 2: ByWidth<Kernel>;
  readonly 4: ByWidth<Kernel>;
}

/**
 * AssemblyScript types by width. `i32` stands for packed 24-bit numbers. This is unambiguous, because stored numbers
 * are never signed; see `assembly/stored.ts`.
 */
const typeOf: Readonly<Record<number, string>> = { 1: "u8", 2: "u16", 3: "i32", 4: "u32" };
const floatTypeOf: Readonly<Record<number, string>> = { 4: "f32", 8: "f64" };

const widths = [1, 2, 3, 4];
const numberWidths = [1, 2, 4];
const floatWidths = [4, 8];

/**
 * Declares a kernel with one export. `types` instantiate `generic` if several kernels share an AssemblyScript function.
 */
export function single<Kernel>(
  definition: Definition<Kernel> & { readonly types?: readonly string[] },
): KernelEntry<Kernel> {
  const variants = [{ ending: "", types: definition.types ?? [], width: 0 }];
  return declare(definition, variants, (exportOf) => exportOf<Kernel>(""));
}

/** Declares a kernel with an export for each width of stored whole numbers. */
export function byWidth<Kernel>(definition: Definition<Kernel>): KernelEntry<ByWidth<Kernel>> {
  const variants = widths.map((width) => ({
    ending: `${width}`,
    types: [typeOf[width]],
    width,
  }));
  return declare(definition, variants, (exportOf) => openWidths<Kernel>(exportOf, ""));
}

/** Declares a kernel with an export for each width of stored floats. */
export function byFloat<Kernel>(definition: Definition<Kernel>): KernelEntry<ByFloat<Kernel>> {
  const variants = floatWidths.map((width) => ({
    ending: `${width}`,
    types: [floatTypeOf[width]],
    width,
  }));
  return declare(definition, variants, (exportOf) => ({
    4: exportOf<Kernel>("4"),
    8: exportOf<Kernel>("8"),
  }));
}

/**
 * Declares a kernel with an export for each combination of a width of stored group numbers and a width of stored whole
 * numbers.
 */
export function byNumber<Kernel>(definition: Definition<Kernel>): KernelEntry<ByNumber<Kernel>> {
  const variants = pair(numberWidths, widths);
  return declare(definition, variants, (exportOf) => ({
    1: openWidths<Kernel>(exportOf, "1x"),
    2: openWidths<Kernel>(exportOf, "2x"),
    4: openWidths<Kernel>(exportOf, "4x"),
  }));
}

/**
 * Declares a kernel with an export for each combination of a width of stored group codes and a width of stored whole
 * numbers.
 */
export function byTwoWidths<Kernel>(
  definition: Definition<Kernel>,
): KernelEntry<ByWidth<ByWidth<Kernel>>> {
  return declare(definition, pair(widths, widths), (exportOf) => [
    undefined,
    openWidths<Kernel>(exportOf, "1x"),
    openWidths<Kernel>(exportOf, "2x"),
    openWidths<Kernel>(exportOf, "3x"),
    openWidths<Kernel>(exportOf, "4x"),
  ]);
}

interface WideVariant extends KernelVariant {
  /** The last width of the variant; 0 if it has none. */
  readonly width: number;
}

function declare<Kernel, Opened>(
  { generic, warm, calls = warmCalls.row }: Definition<Kernel>,
  variants: readonly WideVariant[],
  open: (exportOf: ExportOf) => Opened,
): KernelEntry<Opened> {
  const callsOf = typeof calls === "number" ? () => calls : calls;
  const warmVariants = (exportOf: ExportOf, scratch: WarmScratch) => {
    if (typeof warm === "string") return;
    for (const { ending, width } of variants) {
      const kernel = exportOf<Kernel>(ending);
      const callCount = callsOf(width);
      for (let call = 0; call < callCount; call++) warm(kernel, scratch);
    }
  };
  return { generic, variants, open, warm: typeof warm === "string" ? warm : warmVariants };
}

function openWidths<Kernel>(exportOf: ExportOf, start: string): ByWidth<Kernel> {
  return [
    undefined,
    exportOf<Kernel>(`${start}1`),
    exportOf<Kernel>(`${start}2`),
    exportOf<Kernel>(`${start}3`),
    exportOf<Kernel>(`${start}4`),
  ];
}

function pair(first: readonly number[], second: readonly number[]): readonly WideVariant[] {
  return first.flatMap((one) =>
    second.map((other) => ({
      ending: `${one}x${other}`,
      types: [typeOf[one], typeOf[other]],
      width: other,
    })),
  );
}
