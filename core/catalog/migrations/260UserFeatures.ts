import type { Knex } from "knex";

/** Other hosts see flags of a user within a second, as they see its other overrides. */
export async function up(knex: Knex.Transaction): Promise<void> {
  await knex.raw(`
    create constraint trigger user_features_changed
      after update of feature_overrides on "user"
      deferrable initially deferred for each row
      when (old.feature_overrides is distinct from new.feature_overrides)
      execute function raise_access_version();
  `);
}
