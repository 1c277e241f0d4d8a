import Type from "typebox";

/** The look in a theme. Values that are not colors have no effect. */
export const ThemeDefinition = Type.Object(
  {
    type: Type.Optional(
      Type.String({ description: "Light or dark: the look that the other members change." }),
    ),
    background: Type.Optional(Type.String({ description: "The color of the page." })),
    itemsBackground: Type.Optional(Type.String({ description: "The color of items." })),
    mainColor: Type.Optional(
      Type.String({ description: "The main color of charts, as a CSS color such as `#1A2B3C`." }),
    ),
    colors: Type.Optional(
      Type.Array(Type.String(), { description: "The colors of series; at most 20 are used." }),
    ),
    id: Type.Optional(Type.String({ description: "Id of the theme." })),
    name: Type.Optional(Type.String({ description: "Name of the theme." })),
  },
  { additionalProperties: true, description: "A look of dashboards. Other members are kept." },
);
