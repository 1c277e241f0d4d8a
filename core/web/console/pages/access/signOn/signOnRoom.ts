import { html, type TemplateResult } from "lit";
import { searchOf } from "../../../api/index.ts";
import { textOf, writeInstant } from "../../../language/index.ts";
import { addressWith } from "../../../navigation/index.ts";
import {
  ConsolePage,
  define,
  emptyState,
  RecordList,
  type TableColumn,
} from "../../../parts/index.ts";
import { AddressLimit } from "./addressLimit.ts";
import { NewSignOn } from "./newSignOn.ts";
import { SecondFactorDemand } from "./secondFactorDemand.ts";
import { readConfigs, type SignOnConfig } from "./signOnConfig.ts";
import { SignOnView } from "./signOnView.ts";
import { words } from "./words.ts";

const columns: readonly TableColumn<SignOnConfig>[] = [
  {
    label: words.name,
    width: "minmax(180px, 3fr)",
    cell: ({ id, name }) => html`<a href="/access/signon/${id}">${textOf(name) || id}</a>`,
  },
  { label: words.kind, width: "90px", cell: ({ type }) => type },
  {
    label: words.state,
    width: "180px",
    cell: ({ active, type }) =>
      type === "openid"
        ? html`<span class="badge ${active ? "good" : ""}"
            >${active ? words.active : words.inactive}</span
          >`
        : words.unserved,
  },
  { label: words.created, width: "190px", cell: ({ created_at: at }) => writeInstant(at) },
];
const pageRows = 100;

/**
 * The demand of second factors, the addresses of people, the providers by which people sign on, one of them
 * (`/access/signon/<id>`), or a new one.
 */
export class SignOnRoom extends ConsolePage {
  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
    define("console-second-factor-demand", SecondFactorDemand);
    define("console-address-limit", AddressLimit);
    define("console-sign-on-view", SignOnView);
    define("console-new-sign-on", NewSignOn);
  }

  protected override render(): TemplateResult {
    const { api, places } = this.context;
    const [, , id] = this.place.parts;
    if (id === "new")
      return html`<console-new-sign-on .context=${this.context}></console-new-sign-on>`;
    if (id !== undefined)
      return html`<console-sign-on-view
        .context=${this.context}
        .configId=${id}
      ></console-sign-on-view>`;
    return html`<console-second-factor-demand .api=${api}></console-second-factor-demand>
      <console-address-limit .api=${api}></console-address-limit>
      <console-records
        id="sign-on"
        .label=${words.title}
        .columns=${columns}
        .searchLabel=${words.search}
        .search=${this.place.query.get("search") ?? ""}
        .onSearch=${(search: string) => places.go(addressWith(this.place, { search }), { replaces: true })}
        .read=${(search: string, offset: number, signal?: AbortSignal) =>
          readConfigs(
            api,
            { ...searchOf(search), order: [["name", "asc"]], limit: pageRows, offset },
            signal,
          )}
        .countText=${(count: number) => words.count(count)}
        .onOpen=${({ id: opened }: SignOnConfig) => places.go(`/access/signon/${opened}`)}
        .empty=${emptyState({ title: words.none, text: words.noneText })}
        .nothingFound=${emptyState({ title: words.nothingFound })}
        .tools=${html`<a class="button primary" href="/access/signon/new">${words.add}</a>`}
      ></console-records>`;
  }
}
