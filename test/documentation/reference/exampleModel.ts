import { dutiful, type Script } from "../../support/modelStandIn.ts";

const questions = ["Which region has the highest amount?", "How does the amount change by month?"];

/** Returns the replies of the model in the examples: an answer about the amount per region. */
export function exampleModel(query: object): Script {
  return (request, index) => {
    const [tool] = request.tools;
    const reply = (given: object) => ({ calls: [{ name: tool?.name ?? "", arguments: given }] });
    switch (tool?.name ?? "") {
      case "answer":
        return reply({ title: "Amount per region", chart: "bar-chart", query });
      case "write":
        return reply({ text: "North has the highest amount: 32.5.", operations: [] });
      case "suggest":
        return reply({ questions });
      case "describe":
        return reply({
          descriptions: describedIds(tool?.parameters).map((id) => ({
            id,
            description: { en: "A sentence that the model wrote." },
          })),
        });
      default:
        return dutiful(request, index);
    }
  };
}

/** Returns the ids that the tool "describe" accepts. */
function describedIds(parameters: unknown): readonly string[] {
  const { properties } = parameters as {
    readonly properties: {
      readonly descriptions: {
        readonly items: {
          readonly properties: { readonly id: { readonly enum: readonly string[] } };
        };
      };
    };
  };
  return properties.descriptions.items.properties.id.enum;
}
