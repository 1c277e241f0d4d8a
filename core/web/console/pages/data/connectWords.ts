import { chooseWords } from "../../language/index.ts";
import { words as english } from "./connectWords/en.ts";

/** The strings that the console shows for connections. */
export const connectWords = chooseWords("pages/data/connectWords", english);
