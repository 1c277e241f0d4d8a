/** How the host reads a kind of file: `delimited` is text with separators, `columns` is Parquet and Arrow. */
export type FileKind = "delimited" | "json" | "workbook" | "columns";

/** A file format, as far as the dialog has to know it. The host decides whether it can read a file. */
interface Ending {
  readonly kind: FileKind;
  /** Whether the start of a file can be previewed without the rest. */
  readonly isSampled: boolean;
}

const endings: Readonly<Record<string, Ending>> = {
  csv: { kind: "delimited", isSampled: true },
  tsv: { kind: "delimited", isSampled: true },
  txt: { kind: "delimited", isSampled: true },
  jsonl: { kind: "json", isSampled: true },
  ndjson: { kind: "json", isSampled: true },
  json: { kind: "json", isSampled: false },
  xlsx: { kind: "workbook", isSampled: false },
  parquet: { kind: "columns", isSampled: false },
  arrow: { kind: "columns", isSampled: false },
  feather: { kind: "columns", isSampled: false },
};

/** The endings that the file picker offers. */
export const offeredEndings: string = [...Object.keys(endings), "gz"]
  .map((each) => `.${each}`)
  .join(",");

/** The start of a file that is sent for a preview, in bytes. */
export const sampleBytes = 4 * 2 ** 20;
/** The start of a file whose preview is shown until that of the larger sample arrives, in bytes. */
export const quickSampleBytes = 2 ** 18;

function endingOf(name: string): Ending | undefined {
  const [, ending = ""] = /\.([a-z]+)(?:\.gz)?$/i.exec(name) ?? [];
  return endings[ending.toLowerCase()];
}

/** Returns the kind of a file by its name. Files with an unknown ending count as delimited text. */
export function kindOf(name: string): FileKind {
  return endingOf(name)?.kind ?? "delimited";
}

/**
 * Returns the part of a file that is enough for a preview: the first `sizeBytes` of files that are read from start to
 * end, or the whole file.
 */
export function sampleOf(file: File, sizeBytes = sampleBytes): Blob {
  const isSampled = endingOf(file.name)?.isSampled === true && !/\.gz$/i.test(file.name);
  return isSampled && file.size > sizeBytes ? file.slice(0, sizeBytes) : file;
}

/** Returns the name of a dataset for a file: the file's name without its endings. */
export const datasetNameOf = (fileName: string): string =>
  fileName.replace(/\.gz$/i, "").replace(/(?!^)\.[^.]+$/, "");
