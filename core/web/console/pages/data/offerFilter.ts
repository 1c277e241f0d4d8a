import { nothing, type TemplateResult } from "lit";
import { selectField } from "../../parts/index.ts";
import { connectWords as words } from "./connectWords.ts";

const kindWords: Readonly<Record<string, string>> = words.kinds;

/** Renders a filter for the list, if there is more than one choice. */
export function offerFilter(
  id: string,
  label: string,
  every: string,
  value: string,
  found: readonly string[],
  onSelect: (value: string) => void,
): TemplateResult | typeof nothing {
  if (found.length < 2) return nothing;
  const choices = found.map((each) => ({ value: each, label: kindWords[each] ?? each }));
  return selectField({
    id: `offer-${id}`,
    label,
    value,
    choices: [{ value: "", label: every }, ...choices],
    onSelect,
  });
}
