// Connections
export { type Connection, isLocal } from './connection.ts';
// Registries
export {
  type Credentials,
  entryFor,
  type FindCredentials,
  storedCredentials,
} from './credentials.ts';
export { DownloadError, type DownloadLimits, download } from './download.ts';
export { guardedConnection } from './guarded-connection.ts';
export { objectIn, RegistryClient, registryOrigin } from './registry-client.ts';
export { RemoteImages } from './remote-images.ts';
