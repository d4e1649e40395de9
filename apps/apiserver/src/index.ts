// A cluster for suites of tests, from TypeScript.
export type { OidcOptions } from './configuration/oidc-options.ts';
export type { AuditLevel, ServerOptions, StoreChoice } from './configuration/server-options.ts';
export { UsageError } from './configuration/usage-error.ts';
export { LoadError } from './loading/load-error.ts';
export { type RunningApiServer, startApiServer } from './start-api-server.ts';
export { StoreError } from './stores/store-error.ts';
