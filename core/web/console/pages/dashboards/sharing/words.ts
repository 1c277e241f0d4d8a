import { chooseWords } from "../../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings of the dialog that shares a dashboard. */
export const words = chooseWords("pages/dashboards/sharing/words", english);
