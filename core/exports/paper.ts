/** The sizes of paper by name, in points, in portrait. */
const papersByName = {
  a4: { width: 595.28, height: 841.89 },
  letter: { width: 612, height: 792 },
} as const;

/** The forms of the pages of a PDF: paper, or `fit` for a single page that is as large as the picture. */
export const paperForms = ["a4", "letter", "fit"] as const;
type PaperName = keyof typeof papersByName;

/** How paper is turned. */
export const orientations = ["portrait", "landscape"] as const;
export type Orientation = (typeof orientations)[number];

/** The paper of a document. */
export interface Paper {
  readonly name: PaperName;
  readonly orientation: Orientation;
}

/** The paper that a request names. Without a name, it is the usual paper of the file's language. */
export interface WantedPaper {
  readonly name: PaperName | undefined;
  readonly orientation: Orientation;
}

/** The regions that use US Letter, by CLDR 47 (supplemental data, paper sizes). All others use A4. */
const letterRegions = "BZ CA CL CO CR GT MX NI PA PH PR SV US VE".split(" ");

/** Returns the usual size of paper in the region of a language tag. A tag without a region gets A4. */
export function usualPaper(localeId: string | undefined): PaperName {
  const region = localeId === undefined ? undefined : new Intl.Locale(localeId).region;
  return region !== undefined && letterRegions.includes(region) ? "letter" : "a4";
}

/** Returns the width and height of paper in points. */
export function sizeOfPaper({ name, orientation }: Paper): {
  readonly width: number;
  readonly height: number;
} {
  const { width, height } = papersByName[name];
  return orientation === "portrait" ? { width, height } : { width: height, height: width };
}
