import { arrayBinding } from "../../catalog/index.ts";
import type { Field } from "../kernel/index.ts";
import type { Principal } from "../../base/index.ts";

type Instead = Pick<Field, "instead">;

/** Returns the columns that are hidden from a caller; undefined if there are none. */
function hiddenFrom({ restriction }: Principal): readonly string[] | undefined {
  const hidden = [...(restriction?.hiddenColumns ?? [])];
  return hidden.length > 0 ? hidden : undefined;
}

/** Replaces an expression with null for tokens from which a column in the expression is hidden. */
export function expressionWithoutHidden(): Instead {
  return {
    instead(knex, alias, principal) {
      const hidden = hiddenFrom(principal);
      return (
        hidden &&
        knex.raw(
          "case when lower(??.expression) like any(?::text[]) then null else ??.expression end",
          [alias, arrayBinding(hidden.map((id) => `%${id}%`)), alias],
        )
      );
    },
  };
}

/** Leaves columns that the token may not see out of a member's lists of column ids. */
export function listsWithoutHidden(member: string): Instead {
  return {
    instead(knex, alias, principal) {
      const hidden = hiddenFrom(principal);
      return (
        hidden &&
        knex.raw(
          `(select jsonb_object_agg(list.key, case jsonb_typeof(list.value) when 'array'
              then (select coalesce(jsonb_agg(each), '[]') from jsonb_array_elements(list.value) each
                     where lower(each #>> '{}') <> all(?::text[]))
              else list.value end)
              from jsonb_each(??.??) list)`,
          [arrayBinding(hidden), alias, member],
        )
      );
    },
  };
}

/** Removes filters on hidden columns when a token reads its own filters. */
export function filtersWithoutHidden(): Instead {
  return {
    instead(knex, alias, principal) {
      const hidden = hiddenFrom(principal);
      return (
        hidden &&
        knex.raw(
          `(select jsonb_agg(each) from jsonb_array_elements(??.filters) each
             where lower(coalesce(each ->> 'column_id', '')) <> all(?::text[]))`,
          [alias, arrayBinding(hidden)],
        )
      );
    },
  };
}

/** Replaces the list of hidden columns with null when the token reads it. */
export function hiddenFromItself(): Instead {
  return {
    instead: (knex, _alias, principal) => hiddenFrom(principal) && knex.raw("null::jsonb"),
  };
}
