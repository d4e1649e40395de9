/** An object of a case. */
export type JsonObject = Record<string, unknown>;
