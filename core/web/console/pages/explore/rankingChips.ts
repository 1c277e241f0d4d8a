import { html, type TemplateResult } from "lit";
import { queryOf, readItem } from "../../../charts/index.ts";
import { elementOf, openMenu, type MenuItem } from "../../parts/index.ts";
import {
  chooseChart,
  itemOf,
  rankingOf,
  type ExploredDataset,
  type Order,
  type Question,
} from "../../questions/index.ts";
import { words } from "./words.ts";

export interface RankingChipsOptions {
  readonly question: Question;
  readonly dataset: ExploredDataset;
  change(question: Question): void;
}

const limits = [10, 20, 50];
const byMeasure: readonly Order[] = [
  { by: "measure", direction: "desc" },
  { by: "measure", direction: "asc" },
];
const byCategory: readonly Order[] = [
  { by: "category", direction: "asc" },
  { by: "category", direction: "desc" },
];

/** Two buttons for the order of the groups, and for how many of them are shown. Empty if the chart has neither. */
export function rankingChips({ question, dataset, change }: RankingChipsOptions): TemplateResult {
  const columns = new Map(dataset.columns.map((column) => [column.id, column]));
  const { hasOrder, hasLimit } = rankingOf(question, chooseChart(question, columns));
  if (!hasOrder) return html``;
  const first = question.rows[0] ?? question.color;
  const type = columns.get(first?.id ?? "")?.type ?? "hierarchy";
  const nameOf = ({ by, direction }: Order): string =>
    by === "measure" ? words.orders.measure[direction] : words.orders[type][direction];
  const usual = usualOrder(question, dataset);
  const current = question.order ?? usual;
  const isSame = (one: Order, other: Order) =>
    one.by === other.by && one.direction === other.direction;
  const orders = [...(question.measures.length > 0 ? byMeasure : []), ...byCategory];
  const orderItems = orders.map((order) => ({
    label: nameOf(order),
    isChosen: isSame(order, current),
    run: () => change({ ...question, order: isSame(order, usual) ? undefined : order }),
  }));
  const { limit } = question;
  const isTop = current.by === "measure" && current.direction === "desc";
  const nameOfLimit = (count: number) => (isTop ? words.top(count) : words.first(count));
  const offered = limit === undefined || limits.includes(limit) ? limits : [limit, ...limits];
  const limitItems = [
    ...offered.map((count) => ({
      label: nameOfLimit(count),
      isChosen: count === limit,
      run: () => change({ ...question, limit: count }),
    })),
    {
      label: words.allGroups,
      isChosen: limit === undefined,
      run: () => change({ ...question, limit: undefined }),
    },
  ];
  return html`<span class="rankings"
    >${rankingChip(words.order, nameOf(current), orderItems)}
    ${
      hasLimit
        ? rankingChip(
            words.limit,
            limit === undefined ? words.allGroups : nameOfLimit(limit),
            limitItems,
          )
        : ""
    }</span
  >`;
}

function rankingChip(name: string, value: string, items: readonly MenuItem[]): TemplateResult {
  return html`<button
    class="ranking"
    aria-haspopup="menu"
    aria-label=${words.rankingOf(name, value)}
    @click=${(event: Event) => openMenu(elementOf(event.currentTarget, HTMLElement), name, items)}
  >
    ${value}
  </button>`;
}

/** Returns the order of a question for which the reader chose none. */
function usualOrder(question: Question, dataset: ExploredDataset): Order {
  const item = readItem(itemOf({ ...question, order: undefined }, dataset));
  const [first] = queryOf(item)?.query.order ?? [];
  return first ? { by: "measure", direction: "desc" } : { by: "category", direction: "asc" };
}
