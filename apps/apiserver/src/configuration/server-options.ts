import type { OidcOptions } from './oidc-options.ts';

/** The level of detail in the audit log (`audit.k8s.io/v1`). */
export type AuditLevel = 'Metadata' | 'Request' | 'RequestResponse';

/** The audit log. Its limits have the defaults of kube-apiserver; 0 turns a limit off. */
export interface AuditLogOptions {
  /** A file, which is appended to, or `-` for standard output. */
  readonly path: string;
  readonly level: AuditLevel;
  /** The size in megabytes (2^20 bytes) at which the file is rotated; default 100. */
  readonly maxSize?: number | undefined;
  /** The number of old files that are kept; default 100. */
  readonly maxBackups?: number | undefined;
  /** The age in days at which old files are deleted; default 366. */
  readonly maxAge?: number | undefined;
}

/** Where the objects are kept. */
export type StoreChoice =
  | { readonly type: 'memory' }
  /** In this folder, which is created if missing; used by one process at a time. */
  | {
      readonly type: 'folder';
      readonly folder: string;
      /** Whether to create new keys if those of the objects are missing (default: no). */
      readonly newKeys?: boolean | undefined;
    }
  | {
      readonly type: 'etcd';
      readonly urls: readonly string[];
      /** In front of every key; default `/registry`. */
      readonly prefix?: string | undefined;
      readonly caFile?: string | undefined;
      readonly certificateFile?: string | undefined;
      readonly keyFile?: string | undefined;
    };

/** The options of an API server. All are optional: without any it keeps nothing and uses any free port. */
export interface ServerOptions {
  /** Default: in memory. */
  readonly store?: StoreChoice | undefined;
  /** Default 127.0.0.1 and any free port. */
  readonly listen?: { readonly host: string; readonly port: number } | undefined;
  /** Further names in the certificate of the server. */
  readonly names?: readonly string[] | undefined;
  /** The files of a certificate; default one that the cluster's authority signs. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string } | undefined;
  /** A file with authorities of client certificates, in addition to the cluster's. */
  readonly clientCaFile?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly oidc?: OidcOptions | undefined;
  /** Files and folders whose manifests are put in at the start. */
  readonly load?: readonly string[] | undefined;
  /**
   * Folders whose policies or webhook configurations the server reads from its own disk (`staticManifestsDir`), each
   * with validating or with mutating ones; they are read again when they change. For versions from 1.36 on.
   */
  readonly staticManifests?: readonly string[] | undefined;
  /** A file with an AdmissionConfiguration, which may name such folders too. For versions from 1.36 on. */
  readonly admissionConfigurationFile?: string | undefined;
  /** Admission plugins in addition to those that kube-apiserver enables by default. */
  readonly enableAdmissionPlugins?: readonly string[] | undefined;
  /** Admission plugins that do not run although kube-apiserver enables them by default. */
  readonly disableAdmissionPlugins?: readonly string[] | undefined;
  /** Whether the small controllers run; default yes. */
  readonly controllers?: boolean | undefined;
  /** Default `rbac`; `always-allow` on loopback only. */
  readonly authorization?: 'rbac' | 'always-allow' | undefined;
  /** Such as `1.36`; default the newest known. */
  readonly kubernetesVersion?: string | undefined;
  readonly auditLog?: AuditLogOptions | undefined;
}
