import {
  alertQuery,
  mostLinkCharacters,
  queryOf,
  readColumns,
  stateQuery,
} from "../../charts/index.ts";
import { adoptStyles, element, viewWordsOf } from "../view/index.ts";
import type { AlertSubject } from "./alertSubject.ts";
import type { MenuOptions } from "./menuOptions.ts";
import { menuStyles } from "./menuStyles.ts";

/** Comparisons of a value with the limit, by the word that the dialog shows. */
const comparisons = { above: "? > ?", below: "? < ?" } as const;
const units = ["hour", "day", "week"] as const;

/**
 * Opens a dialog with which a reader creates an alert: a mail when a measure of the item, or of any of its groups, is
 * above or below a limit. Items by time are watched in their last complete period. The dialog stays open until the host
 * has created the alert, and shows the reason if it does not.
 */
export function openAlert(
  button: HTMLElement,
  { item, filters, state, timezoneId, email, create }: AlertSubject,
  { localeId, title, explain }: Pick<MenuOptions, "localeId" | "title" | "explain">,
): void {
  const locale = localeId();
  const words = viewWordsOf(locale);
  const found = alertQuery(item, { where: filters.where, timezoneId });
  if (!found) return;
  const { query, measures, unit: ofPeriods } = found;
  const shown = readColumns({ fields: queryOf(item)?.fields ?? [], localeId: locale, timezoneId });
  const names = shown.slice(-measures.length).map(({ name }) => name);
  const option = (value: string | number, text: string) => element("option", { value }, text);
  const labelled = (text: string, control: HTMLElement) => element("label", {}, text, control);

  const measure = element("select", {}, ...names.map((name, index) => option(index, name)));
  const comparison = element(
    "select",
    {},
    ...(["above", "below"] as const).map((each) => option(comparisons[each], words[each])),
  );
  const limit = element("input", { type: "number", step: "any", required: true });
  const unit = element("select", {}, ...units.map((each) => option(each, words[each])));
  unit.value = units.find((each) => each === ofPeriods) ?? "day";
  const isLinked = state !== undefined && stateQuery(state).length <= mostLinkCharacters;
  const status = element("p", { role: "status" });
  const close = element("button", { type: "button" }, words.cancel);
  const submit = element("button", { type: "submit" }, words.createAlert);
  const name = [title(), names[0]].find((each) => each) ?? words.alert;
  const heading = element("h3", { id: "mf-alert-title" }, `${words.alert}: ${name}`);
  const form = element(
    "form",
    { method: "dialog" },
    heading,
    labelled(words.measure, measure),
    labelled(words.when, comparison),
    labelled(words.limit, limit),
    labelled(words.every, unit),
    element("p", {}, `${words.mailTo} ${email}`),
    ...(state !== undefined && !isLinked ? [element("p", {}, words.plainLink)] : []),
    status,
    element("div", {}, close, submit),
  );
  const dialog = element(
    "dialog",
    { class: "mf-dialog", part: "dialog", "aria-labelledby": heading.id },
    form,
  );

  async function run(): Promise<void> {
    submit.disabled = true;
    status.textContent = words.creatingAlert;
    const condition = {
      expression: comparison.value,
      parameters: [measures[Number(measure.value)], limit.valueAsNumber],
    };
    try {
      await create({
        name: { en: name },
        query: { ...query, having: [...filters.having, condition] },
        frequency: { unit: unit.value, quantity: 1 },
        timezone_id: timezoneId,
        notify: "change",
        ...(isLinked && { dashboard_state: state }),
        channels: [{ name: { en: email }, type: "email", config: { recipients: [{ email }] } }],
      });
      status.textContent = words.created;
      submit.remove();
      // Without a button, Enter in a field would still submit the form.
      for (const each of [measure, comparison, limit, unit]) each.disabled = true;
      close.textContent = words.close;
      close.focus();
    } catch (failure) {
      status.textContent = explain(failure);
      submit.disabled = false;
    }
  }

  close.addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void run();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    button.focus();
  });
  button.parentElement?.append(dialog);
  adoptStyles(dialog, menuStyles());
  dialog.showModal();
  limit.focus();
}
