import { chooseWords } from "../language/index.ts";
import { words as english } from "./questionWords/en.ts";

/** The strings that the console shows for measures and filters. */
export const questionWords = chooseWords("questions/questionWords", english);
