import { createRandom } from "../../../plugins/conformance/createRandom.ts";
import type { Cell, DataModel } from "./dataModel.ts";

const countries = ["Belgium", "France", "Netherlands", "Germany", "Spain"] as const;
const segments = ["consumer", "business", "public"] as const;
const channels = ["web", "shop", "phone"] as const;
const goods = [
  ["Chair", "furniture", 80],
  ["Desk", "furniture", 240],
  ["Shelf", "furniture", 120],
  ["Lamp", "lighting", 45],
  ["Spot", "lighting", 25],
  ["Lantern", "lighting", 60],
  ["Notebook", "paper", 4],
  ["Envelope", "paper", 2],
  ["Calendar", "paper", 12],
  ["Printer", "devices", 310],
  ["Scanner", "devices", 190],
  ["Screen", "devices", 270],
] as const;

const customerCount = 40;
const orderCount = 1_500;
const dayMs = 86_400_000;
const firstDayMs = Date.UTC(2025, 0, 1);
/** The number of days with orders. The last day is the end of June 2026. */
const dayCount = 546;

/** Creates orders with their customers and products. Each call returns the same rows. */
export function makeSales(): DataModel {
  const random = createRandom(20_260_701);
  const customers = Array.from({ length: customerCount }, (_, index): readonly Cell[] => [
    `C${String(index + 1).padStart(3, "0")}`,
    `Customer ${index + 1}`,
    random.pick(countries),
    random.pick(segments),
  ]);
  const products = goods.map(([title, category, price], index): readonly Cell[] => [
    `P${index + 1}`,
    title,
    category,
    price,
  ]);
  const orders = Array.from({ length: orderCount }, (_, index): readonly Cell[] => {
    const [place, quantity] = [random.below(goods.length), 1 + random.below(9)];
    const price = goods[place]?.[2] ?? 0;
    // Two of the forty customers place no orders.
    const customer = random.below(customerCount - 2);
    const day = firstDayMs + random.below(dayCount) * dayMs;
    return [
      `O${index + 1}`,
      new Date(day).toISOString().slice(0, 10),
      String(customers[customer]?.[0]),
      `P${place + 1}`,
      quantity,
      quantity * price,
      random.pick([0, 0, 0, 0.05, 0.1]),
      random.pick(channels),
      random.chance(0.88) ? "paid" : random.pick(["cancelled", "open"]),
      random.chance(0.7) ? 1 + random.below(20) : null,
    ];
  });
  return {
    name: "sales",
    links: [
      ["orders.customer", "customers.id"],
      ["orders.product", "products.id"],
    ],
    formulas: [
      {
        name: "revenue",
        table: "orders",
        title: "Revenue",
        description: "Amounts of paid orders. Also called turnover, omzet, chiffre d'affaires.",
        expression: "sum(if({orders.status} = 'paid', {orders.amount}, 0))",
      },
      {
        name: "cancelledShare",
        table: "orders",
        title: "Share of cancelled orders",
        description: "Cancelled orders divided by all orders, from 0 to 1.",
        expression: "count(if({orders.status} = 'cancelled', 1)) / countr()",
      },
    ],
    tables: [
      {
        name: "orders",
        title: "Orders",
        description: "One row for each order, from January 2025 to June 2026.",
        columns: [
          { name: "id", type: "text", title: "Order number" },
          { name: "day", type: "datetime", isDate: true, title: "Order date" },
          { name: "customer", type: "text", title: "Customer number" },
          { name: "product", type: "text", title: "Product number" },
          { name: "quantity", type: "number", title: "Quantity", context: "units, stuks, unités" },
          {
            name: "amount",
            type: "number",
            title: "Amount",
            description: "In euros, before discount, for orders of every status.",
          },
          {
            name: "discount",
            type: "number",
            title: "Discount",
            description: "A share of the amount, from 0 to 1.",
          },
          { name: "channel", type: "text", title: "Channel", context: "web, shop or phone" },
          { name: "status", type: "text", title: "Status", context: "paid, cancelled or open" },
          {
            name: "deliveryDays",
            type: "number",
            title: "Days to delivery",
            description: "Empty for orders that are not delivered yet.",
          },
        ],
        rows: orders,
      },
      {
        name: "customers",
        title: "Customers",
        description: "One row for each customer. Not every customer has ordered.",
        columns: [
          { name: "id", type: "text", title: "Customer number" },
          { name: "name", type: "text", title: "Customer name" },
          { name: "country", type: "text", title: "Country" },
          {
            name: "segment",
            type: "text",
            title: "Segment",
            context: "consumer, business, public",
          },
        ],
        rows: customers,
      },
      {
        name: "products",
        title: "Products",
        description: "One row for each product.",
        columns: [
          { name: "id", type: "text", title: "Product number" },
          { name: "title", type: "text", title: "Product" },
          { name: "category", type: "text", title: "Category" },
          { name: "price", type: "number", title: "Price", description: "In euros." },
        ],
        rows: products,
      },
    ],
  };
}
