/** The scripts of the shipped font, each a file; a character is drawn with the first that has it. */
export const fontScripts = ["latin", "latin-ext", "greek", "cyrillic", "vietnamese"] as const;
