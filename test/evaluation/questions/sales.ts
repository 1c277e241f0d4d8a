import { answered, unanswered, type Question } from "./question.ts";

const count = "count orders";
const amount = "sum orders.amount";
const revenue = "formula orders.revenue";
const joined = "orders o join customers c on o.customer = c.id join products p on o.product = p.id";
const paid = "coalesce(sum(o.amount) filter (where o.status = 'paid'), 0)";

/** Questions about orders, customers and products, which are linked. */
export const salesQuestions: readonly Question[] = [
  answered("s-count", "en", "How many orders are there?", {
    gold: { of: [count] },
    sql: "select count(*) from orders",
  }),
  answered("s-amount", "nl", "Wat is het totale bedrag van alle bestellingen?", {
    gold: { of: [amount] },
    sql: "select sum(amount) from orders",
  }),
  answered("s-revenue", "en", "What is our revenue?", {
    gold: { of: [revenue] },
    sql: `select ${paid} from orders o`,
  }),
  answered("s-turnover", "nl", "Wat is de omzet per kanaal?", {
    gold: { by: ["orders.channel"], of: [revenue] },
    sql: `select channel, ${paid} from orders o group by 1`,
  }),
  answered("s-ca", "fr", "Quel est le chiffre d'affaires par pays ?", {
    gold: { by: ["customers.country"], of: [revenue] },
    sql: `select c.country, ${paid} from ${joined} group by 1`,
  }),
  answered("s-status", "en", "How many orders are there for each status?", {
    gold: { by: ["orders.status"], of: [count] },
    sql: "select status, count(*) from orders group by 1",
  }),
  answered("s-cancelled", "fr", "Combien de commandes ont été annulées ?", {
    gold: { of: [count], where: [["orders.status", "? = ?", "cancelled"]] },
    sql: "select count(*) from orders where status = 'cancelled'",
  }),
  answered("s-cancelled-share", "en", "What share of orders is cancelled, by channel?", {
    gold: { by: ["orders.channel"], of: ["formula orders.cancelledShare"] },
    sql: "select channel, count(*) filter (where status = 'cancelled') / count(*) from orders group by 1",
  }),
  answered("s-average", "nl", "Wat is het gemiddelde bedrag van een bestelling?", {
    gold: { of: ["average orders.amount"] },
    sql: "select avg(amount) from orders",
  }),
  answered("s-median", "en", "Median order amount by segment of the customer", {
    gold: { by: ["customers.segment"], of: ["median orders.amount"] },
    sql: `select c.segment, median(o.amount) from ${joined} group by 1`,
  }),
  answered("s-units", "fr", "Combien d'unités ont été vendues par catégorie ?", {
    gold: { by: ["products.category"], of: ["sum orders.quantity"] },
    sql: `select p.category, sum(o.quantity) from ${joined} group by 1`,
  }),
  answered("s-products", "en", "Total amount of each product, largest first", {
    gold: { by: ["products.title"], of: [amount], order: [`-${amount}`] },
    sql: `select p.title, sum(o.amount) from ${joined} group by 1 order by 2 desc`,
    isOrdered: true,
  }),
  answered("s-best-product", "nl", "Welk product heeft het hoogste totale bedrag?", {
    gold: { by: ["products.title"], of: [amount], order: [`-${amount}`], limit: 1 },
    sql: `select p.title from ${joined} group by 1 order by sum(o.amount) desc limit 1`,
  }),
  answered("s-least-product", "fr", "Quel produit se vend le moins, en unités ?", {
    gold: {
      by: ["products.title"],
      of: ["sum orders.quantity"],
      order: ["sum orders.quantity"],
      limit: 1,
    },
    sql: `select p.title from ${joined} group by 1 order by sum(o.quantity) limit 1`,
  }),
  answered("s-top-customers", "en", "Who are the five customers with the highest total amount?", {
    gold: { by: ["customers.name"], of: [amount], order: [`-${amount}`], limit: 5 },
    sql: `select c.name from ${joined} group by 1 order by sum(o.amount) desc limit 5`,
  }),
  answered("s-buyers", "en", "How many different customers have ordered?", {
    gold: { of: ["distinctcount orders.customer"] },
    sql: "select count(distinct customer) from orders",
  }),
  answered("s-customers", "nl", "Hoeveel klanten zijn er per land?", {
    gold: { by: ["customers.country"], of: ["count customers"] },
    sql: "select country, count(*) from customers group by 1",
  }),
  answered("s-segments", "fr", "Nombre de clients par segment", {
    gold: { by: ["customers.segment"], of: ["count customers"] },
    sql: "select segment, count(*) from customers group by 1",
  }),
  answered("s-dearest", "en", "What is the most expensive product?", {
    gold: {
      by: ["products.title"],
      of: ["max products.price"],
      order: ["-max products.price"],
      limit: 1,
    },
    sql: "select title from products order by price desc limit 1",
  }),
  answered("s-prices", "nl", "Gemiddelde prijs per productcategorie", {
    gold: { by: ["products.category"], of: ["average products.price"] },
    sql: "select category, avg(price) from products group by 1",
  }),
  answered("s-belgium", "en", "How many orders come from Belgium?", {
    gold: { of: [count], where: [["customers.country", "? = ?", "Belgium"]] },
    sql: `select count(*) from ${joined} where c.country = 'Belgium'`,
  }),
  answered("s-web-business", "en", "Total amount of web orders of business customers", {
    gold: {
      of: [amount],
      where: [
        ["orders.channel", "? = ?", "web"],
        ["customers.segment", "? = ?", "business"],
      ],
    },
    sql: `select sum(o.amount) from ${joined} where o.channel = 'web' and c.segment = 'business'`,
  }),
  answered("s-lamps", "fr", "Combien de commandes contiennent une lampe (Lamp) ?", {
    gold: { of: [count], where: [["products.title", "? = ?", "Lamp"]] },
    sql: `select count(*) from ${joined} where p.title = 'Lamp'`,
  }),
  answered("s-large", "nl", "Hoeveel bestellingen zijn groter dan 2000 euro?", {
    gold: { of: [count], where: [["orders.amount", "? > ?", 2000]] },
    sql: "select count(*) from orders where amount > 2000",
  }),
  answered("s-undelivered", "en", "How many orders have not been delivered yet?", {
    gold: { of: [count], where: [["orders.deliveryDays", "? is null"]] },
    sql: "select count(*) from orders where deliveryDays is null",
  }),
  answered("s-delivery", "en", "Average number of days to delivery by channel", {
    gold: { by: ["orders.channel"], of: ["average orders.deliveryDays"] },
    sql: "select channel, avg(deliveryDays) from orders group by 1",
  }),
  answered(
    "s-slow-countries",
    "fr",
    "Délai moyen de livraison par pays, du plus lent au plus rapide",
    {
      gold: {
        by: ["customers.country"],
        of: ["average orders.deliveryDays"],
        order: ["-average orders.deliveryDays"],
      },
      sql: `select c.country, avg(o.deliveryDays) from ${joined} group by 1 order by 2 desc`,
      isOrdered: true,
    },
  ),
  answered("s-discounted", "nl", "Hoeveel bestellingen hebben korting?", {
    gold: { of: [count], where: [["orders.discount", "? > ?", 0]] },
    sql: "select count(*) from orders where discount > 0",
  }),
  answered("s-most-discount", "en", "What is the highest discount?", {
    gold: { of: ["max orders.discount"] },
    sql: "select max(discount) from orders",
  }),
  answered("s-per-month", "en", "Amount per month over all time, in order", {
    gold: { by: ["orders.day:month"], of: [amount], order: ["orders.day:month"] },
    sql: "select date_trunc('month', day), sum(amount) from orders group by 1 order by 1",
    isOrdered: true,
  }),
  answered("s-per-quarter", "fr", "Nombre de commandes par trimestre", {
    gold: { by: ["orders.day:quarter"], of: [count] },
    sql: "select date_trunc('quarter', day), count(*) from orders group by 1",
  }),
  answered("s-per-year", "nl", "Omzet per jaar", {
    gold: { by: ["orders.day:year"], of: [revenue] },
    sql: `select date_trunc('year', day), ${paid} from orders o group by 1`,
  }),
  answered("s-2025", "en", "How many orders were placed in 2025?", {
    gold: {
      of: [count],
      where: [
        ["orders.day", "? >= ?", "2025-01-01"],
        ["orders.day", "? < ?", "2026-01-01"],
      ],
    },
    sql: "select count(*) from orders where day >= '2025-01-01' and day < '2026-01-01'",
  }),
  answered("s-last-month", "en", "How many orders did we get last month?", {
    gold: { of: [count], where: [["orders.day", "last_completed", { unit: 3, quantity: 1 }]] },
    sql: "select count(*) from orders where day >= '2026-06-01' and day < '2026-07-01'",
    isRelative: true,
  }),
  answered("s-last-quarter", "nl", "Wat was de omzet in het vorige kwartaal?", {
    gold: { of: [revenue], where: [["orders.day", "last_completed", { unit: 2, quantity: 1 }]] },
    sql: `select ${paid} from orders o where day >= '2026-04-01' and day < '2026-07-01'`,
    isRelative: true,
  }),
  answered("s-this-year", "fr", "Combien de commandes depuis le début de l'année ?", {
    gold: { of: [count], where: [["orders.day", "to_date", { unit: 1 }]] },
    sql: "select count(*) from orders where day >= '2026-01-01' and day <= '2026-07-01'",
    isRelative: true,
  }),
  answered("s-last-year", "en", "Amount by category last year", {
    gold: {
      by: ["products.category"],
      of: [amount],
      where: [["orders.day", "ago", { unit: 1, quantity: 1 }]],
    },
    sql: `select p.category, sum(o.amount) from ${joined}
      where day >= '2025-01-01' and day < '2026-01-01' group by 1`,
    isRelative: true,
  }),
  answered("s-12-months", "fr", "Montant par mois des 12 derniers mois complets", {
    gold: {
      by: ["orders.day:month"],
      of: [amount],
      where: [["orders.day", "last_completed", { unit: 3, quantity: 12 }]],
    },
    sql: `select date_trunc('month', day), sum(amount) from orders
      where day >= '2025-07-01' and day < '2026-07-01' group by 1`,
    isRelative: true,
  }),
  answered("s-last-week", "nl", "Hoeveel bestellingen waren er vorige week?", {
    gold: { of: [count], where: [["orders.day", "last_completed", { unit: 4, quantity: 1 }]] },
    sql: "select count(*) from orders where day >= '2026-06-22' and day < '2026-06-29'",
    isRelative: true,
  }),
  answered("s-old-open", "en", "How many open orders are older than the start of this year?", {
    gold: {
      of: [count],
      where: [
        ["orders.status", "? = ?", "open"],
        ["orders.day", "more_than_ago", { unit: 1, quantity: 0 }],
      ],
    },
    sql: "select count(*) from orders where status = 'open' and day < '2026-01-01'",
    isRelative: true,
  }),
  answered("s-countries-categories", "en", "Orders by country and category", {
    gold: { by: ["customers.country", "products.category"], of: [count] },
    sql: `select c.country, p.category, count(*) from ${joined} group by 1, 2`,
  }),
  answered("s-big-customers", "fr", "Quels clients ont passé plus de 50 commandes ?", {
    gold: { by: ["customers.name"], of: [count], having: [[count, "? > ?", 50]] },
    sql: `select c.name from ${joined} group by 1 having count(*) > 50`,
  }),
  answered("s-not-shop", "nl", "Totaal bedrag van bestellingen buiten de winkel (shop)", {
    gold: { of: [amount], where: [["orders.channel", "? != ?", "shop"]] },
    sql: "select sum(amount) from orders where channel != 'shop'",
  }),
  answered("s-two-countries", "en", "Average order amount in France and Spain", {
    gold: {
      by: ["customers.country"],
      of: ["average orders.amount"],
      where: [["customers.country", "? in ?", ["France", "Spain"]]],
    },
    sql: `select c.country, avg(o.amount) from ${joined} where c.country in ('France', 'Spain') group by 1`,
  }),
  answered("s-first-order", "en", "On which day was the first order?", {
    gold: { of: ["min orders.day"] },
    sql: "select min(day) from orders",
  }),
  answered("s-devices", "nl", "Omzet van apparaten (devices) per segment", {
    gold: {
      by: ["customers.segment"],
      of: [revenue],
      where: [["products.category", "? = ?", "devices"]],
    },
    sql: `select c.segment, ${paid} from ${joined} where p.category = 'devices' group by 1`,
  }),
  answered("s-steps-1", "en", "Revenue by category", {
    gold: { by: ["products.category"], of: [revenue] },
    sql: `select p.category, ${paid} from ${joined} group by 1`,
  }),
  answered("s-steps-2", "en", "Only for customers in Germany", {
    after: "s-steps-1",
    gold: {
      by: ["products.category"],
      of: [revenue],
      where: [["customers.country", "? = ?", "Germany"]],
    },
    sql: `select p.category, ${paid} from ${joined} where c.country = 'Germany' group by 1`,
  }),
  answered("s-steps-3", "en", "Which of them is the largest?", {
    after: "s-steps-2",
    gold: {
      by: ["products.category"],
      of: [revenue],
      where: [["customers.country", "? = ?", "Germany"]],
      order: [`-${revenue}`],
      limit: 1,
    },
    sql: `select p.category from ${joined} where c.country = 'Germany' group by 1 order by ${paid} desc limit 1`,
  }),
  answered("s-steps-fr-1", "fr", "Nombre de commandes par canal", {
    gold: { by: ["orders.channel"], of: [count] },
    sql: "select channel, count(*) from orders group by 1",
  }),
  answered("s-steps-fr-2", "fr", "Et en 2026 seulement ?", {
    after: "s-steps-fr-1",
    gold: { by: ["orders.channel"], of: [count], where: [["orders.day", "? >= ?", "2026-01-01"]] },
    sql: "select channel, count(*) from orders where day >= '2026-01-01' group by 1",
  }),
  unanswered("refuse", "s-profit", "en", "What is our profit margin by product?"),
  unanswered("refuse", "s-age", "nl", "Hoe oud zijn onze klanten gemiddeld?"),
  unanswered("refuse", "s-returns", "fr", "Combien de produits ont été retournés ?"),
  unanswered("refuse", "s-employees", "en", "Which employee sold the most?"),
  unanswered("refuse", "s-forecast", "nl", "Wat wordt de omzet van volgend jaar?"),
  unanswered("refuse", "s-mail", "en", "Send the list of customers to my address"),
  unanswered("ask_back", "s-best-customers", "en", "Who are our best customers?"),
  unanswered("ask_back", "s-performance", "fr", "Comment se portent nos produits ?"),
  unanswered("ask_back", "s-recent", "nl", "Hoeveel bestellingen waren er onlangs?"),
];
