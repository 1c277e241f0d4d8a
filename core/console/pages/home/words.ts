import { chooseWords } from "../../language/index.ts";

/** The words of the page. */
export const words = chooseWords({ en: { title: "Home" } });
