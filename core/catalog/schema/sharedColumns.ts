/** Columns for the rights that a share grants. */
export const rights = `"flagRead" boolean not null default true,
    "flagUse" boolean not null default false,
    "flagModify" boolean not null default false,
    "flagOwn" boolean not null default false`;

/** Columns for the times at which a row was created and last changed. The host writes both. */
export const times = `created_at timestamptz not null,
    updated_at timestamptz not null`;

/**
 * Columns for the times at which a row was created and last changed. PostgreSQL fills in values that the host does not
 * write.
 */
export const defaultTimes = `created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()`;
