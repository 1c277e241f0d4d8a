/** The scripts of the shipped font, one file each. A character is drawn with the first file that contains it. */
export const fontScripts = ["latin", "latin-ext", "greek", "cyrillic", "vietnamese"] as const;
