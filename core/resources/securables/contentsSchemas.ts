import Type, { type TSchema } from "typebox";
import { type NamedSchemas, reference } from "../../base/index.ts";
import { screens } from "../../web/charts/index.ts";
import { FieldAggregation, itemSchemas, referenceMembers } from "./itemSchemas.ts";
import { ThemeDefinition } from "./themeDefinition.ts";

const Text = (description: string) => Type.Optional(Type.String({ description }));
const Flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const AnyObject = Type.Record(Type.String(), Type.Unknown());

type Members = Readonly<Record<string, TSchema>>;

/** The parts of contents that the API accepts in more forms than it describes. */
interface Leaves {
  readonly item: TSchema;
  readonly filter: TSchema;
  /** A group in the top-level member `filters`. */
  readonly group: TSchema;
  readonly parameter: TSchema;
  readonly theme: TSchema;
  readonly timezoneType: TSchema;
  readonly datasetLinks: TSchema;
  readonly groupMembers: Members;
  readonly viewOptions: Members;
}

/** Returns the schemas of contents, by name: of what the API accepts, or of what it describes. */
function contentsOver(leaves: Leaves): NamedSchemas {
  const groups = (description: string) =>
    Type.Optional(Type.Array(reference("FilterGroup"), { description }));
  return {
    FilterGroup: Type.Object(
      {
        ...leaves.groupMembers,
        condition: Type.Optional(
          Type.Enum(["and", "or"], {
            type: "string",
            description: "Whether all filters must be true, or at least one. Absent: `and`.",
          }),
        ),
        filters: Type.Optional(
          Type.Array(leaves.filter, { description: "The filters of the group." }),
        ),
        subGroups: groups("Groups within the group, each of which counts as one filter."),
      },
      { description: "Filters of a dashboard that are applied together." },
    ),
    DashboardView: Type.Object(
      {
        screenModus: Type.Optional(
          Type.Enum([...screens], { type: "string", description: "The kind of screen." }),
        ),
        options: Type.Optional(
          Type.Object(
            {
              share: Type.Optional(
                Type.Object(
                  {
                    poweredBy: Flag("Stored for clients. The host does not read it."),
                    showBackground: Flag("Stored for clients. The host does not read it."),
                  },
                  { description: "The look of the shared dashboard." },
                ),
              ),
              theme: Type.Optional(leaves.theme),
              alertingEnabled: Flag("Stored for clients. The host does not read it."),
              ...leaves.viewOptions,
            },
            { description: "The look of the view." },
          ),
        ),
        filterGroups: groups("Filters of the view."),
        items: Type.Optional(
          Type.Array(leaves.item, {
            description: "The charts, controls and text items of the view.",
          }),
        ),
      },
      { description: "The layout of a dashboard for one kind of screen." },
    ),
    DashboardContents: Type.Object(
      {
        version: Type.Optional(
          Type.String({ description: "Version of the structure, such as `0.1.99`." }),
        ),
        syncScreenModes: Flag(
          "Whether editors keep the views alike. Stored for clients; the host does not read it.",
        ),
        datasetLinks: Type.Optional(leaves.datasetLinks),
        views: Type.Optional(
          Type.Array(reference("DashboardView"), {
            description: "The layouts, one per kind of screen.",
          }),
        ),
        parameters: Type.Optional(
          Type.Array(leaves.parameter, {
            description:
              "The parameters that filters of the dashboard use. Stored for clients; the host reads the defaults in the filters.",
          }),
        ),
        filterGroups: groups("Filters of all views."),
        // The Terraform provider writes an object here, and expects to read the same object back.
        filters: Type.Optional(
          Type.Union([Type.Array(leaves.group), AnyObject], {
            description:
              "Filters of all views, like `filterGroups`. An object is stored unchanged.",
          }),
        ),
        timezone: Type.Optional(
          Type.Object(
            {
              type: Type.Optional(leaves.timezoneType),
              id: Text("The fixed time zone, such as `Europe/Brussels`."),
            },
            { description: "The time zone in which the periods of the dashboard start and end." },
          ),
        ),
      },
      { description: "The contents of a dashboard." },
    ),
  };
}

/**
 * What the API accepts as contents. Dashboards of other products must be stored and returned unchanged, so further
 * deviations from the described form are only reported.
 */
export const acceptedContents: NamedSchemas = contentsOver({
  item: Type.Object({
    type: Type.Optional(Type.String()),
    position: Type.Optional(
      Type.Object({
        sizeX: Type.Optional(Type.Number()),
        sizeY: Type.Optional(Type.Number()),
        row: Type.Optional(Type.Number()),
        col: Type.Optional(Type.Number()),
      }),
    ),
    slots: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.Optional(Type.String()),
          content: Type.Optional(Type.Array(AnyObject)),
        }),
      ),
    ),
  }),
  filter: AnyObject,
  group: AnyObject,
  parameter: AnyObject,
  theme: Type.Object({ id: Type.Optional(Type.String()) }),
  timezoneType: Type.String(),
  datasetLinks: AnyObject,
  groupMembers: {},
  viewOptions: {},
});

const Origin = Type.Optional(
  Type.Enum(["global", "itemFilter", "filterFromVizItem", "filterFromFilterItem"], {
    type: "string",
    description:
      "`itemFilter` applies to the item `itemId`; the others apply to all items of the dataset.",
  }),
);

/** A column in a filter of a dashboard. */
const FilterReference = Type.Object(
  {
    ...referenceMembers,
    level: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 9 }), Type.Null()], {
        description:
          "The level whose periods are tested, from 1 (year) to 9 (millisecond). 0, null or absent: the values themselves.",
      }),
    ),
    aggregation: Type.Optional(
      Type.Union(
        [
          FieldAggregation,
          Type.Object({ type: Type.Optional(FieldAggregation) }, { additionalProperties: true }),
        ],
        { description: "How the column is aggregated before the test, for `having`." },
      ),
    ),
  },
  { additionalProperties: true, description: "A column or formula that a filter tests." },
);

/** The schemas of a dashboard's contents, by the name in the API description. */
export const contentsSchemas: NamedSchemas = {
  ...itemSchemas,
  ThemeDefinition,
  DashboardFilter: Type.Object(
    {
      expression: Type.String({ description: "A test, such as `? in ?`." }),
      parameters: Type.Array(reference("DashboardFilterOperand"), {
        description: "First a column, then the value if the test needs one.",
      }),
      properties: Type.Optional(
        Type.Object(
          {
            id: Text("Id of the filter."),
            origin: Origin,
            type: Type.Optional(
              Type.Enum(["where", "having"], {
                type: "string",
                description: "`where` tests rows, `having` tests groups. Absent: `where`.",
              }),
            ),
            itemId: Text("Id of the item to which an `itemFilter` belongs."),
          },
          { additionalProperties: true, description: "What the filter applies to." },
        ),
      ),
      id: Text("Id of the filter."),
    },
    { description: "A test of a column." },
  ),
  DashboardFilterOperand: Type.Union(
    [
      Type.String(),
      Type.Number(),
      Type.Boolean(),
      Type.Null(),
      Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
      reference("FilterParameter"),
      reference("FilterPeriod"),
      FilterReference,
    ],
    { description: "A column, a value, a list of values, a parameter or a number of periods." },
  ),
  ...contentsOver({
    item: reference("DashboardItem"),
    filter: reference("DashboardFilter"),
    group: reference("FilterGroup"),
    parameter: Type.Object(
      {
        id: Text("Id of the parameter."),
        name: Text("Name of the parameter, by which filters refer to it."),
        type: Text("Type of the value, such as `numeric`."),
        value: Type.Optional(
          Type.Unknown({ description: "The default value. Stored for clients." }),
        ),
      },
      { additionalProperties: true },
    ),
    theme: reference("ThemeDefinition"),
    timezoneType: Type.Enum(["fixed", "user"], {
      type: "string",
      description: "`fixed` is the zone `id` for all readers; `user` is the zone of each reader.",
    }),
    datasetLinks: Type.Record(Type.String(), Type.Unknown(), {
      description: "Links between datasets, by dataset id.",
    }),
    groupMembers: {
      id: Text("Id of the group."),
      origin: Origin,
      itemId: Type.Optional(
        Type.String({ description: "Id of the item to which an `itemFilter` belongs." }),
      ),
      datasetId: Type.Optional(
        Type.String({
          description: "Id of a dataset. The group then applies only to items of this dataset.",
        }),
      ),
    },
    viewOptions: {
      columns: Type.Optional(Type.Number({ description: "Columns of the grid. Always 48." })),
      rowHeight: Type.Optional(
        Type.Number({ description: "Height of a row of the grid in pixels. Always 16." }),
      ),
      showTitle: Flag("Stored for clients. The host does not read it."),
    },
  }),
};
