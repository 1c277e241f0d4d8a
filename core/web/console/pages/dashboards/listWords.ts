import { chooseWords } from "../../language/index.ts";
import { words as english } from "./listWords/en.ts";

/** The strings of the list of dashboards. */
export const words = chooseWords("pages/dashboards/listWords", english);
