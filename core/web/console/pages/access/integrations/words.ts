import { chooseWords } from "../../../language/index.ts";
import { words as english } from "./words/en.ts";

/** The strings that the console shows for integrations. */
export const words = chooseWords("pages/access/integrations/words", english);
