import { describeValue, hasMembers, type OptionKind, requireOptions } from '@kubeadmit/base';
import type { OidcOptions } from './oidc-options.ts';
import type { AuditLevel, ServerOptions, StoreChoice } from './server-options.ts';

const call = 'startApiServer';

const auditLevels: readonly AuditLevel[] = ['Metadata', 'Request', 'RequestResponse'];

const options: Readonly<Record<keyof ServerOptions, OptionKind>> = {
  store: 'object',
  listen: 'object',
  names: 'list',
  tls: 'object',
  clientCaFile: 'string',
  tokenFile: 'string',
  oidc: 'object',
  load: 'list',
  staticManifests: 'list',
  admissionConfigurationFile: 'string',
  enableAdmissionPlugins: 'list',
  disableAdmissionPlugins: 'list',
  controllers: 'boolean',
  authorization: ['rbac', 'always-allow'],
  kubernetesVersion: 'string',
  auditLog: 'object',
};

/** The members of an option that is an object, those that it needs first. */
interface Members {
  readonly needed: Readonly<Record<string, OptionKind>>;
  readonly others?: Readonly<Record<string, OptionKind>>;
}

const members: Readonly<Record<'listen' | 'tls' | 'auditLog', Members>> = {
  listen: { needed: { host: 'string', port: 'number' } },
  tls: { needed: { certificateFile: 'string', keyFile: 'string' } },
  auditLog: {
    needed: { path: 'string', level: auditLevels },
    others: { maxSize: 'number', maxBackups: 'number', maxAge: 'number' },
  },
};

const oidc: Members = {
  needed: { issuerUrl: 'string', clientId: 'string' },
  others: {
    usernameClaim: 'string',
    usernamePrefix: 'string',
    groupsClaim: 'string',
    groupsPrefix: 'string',
    requiredClaims: 'object',
    caFile: 'string',
  } satisfies Partial<Record<keyof OidcOptions, OptionKind>>,
};

const stores: Readonly<Record<StoreChoice['type'], Members>> = {
  memory: { needed: {} },
  folder: { needed: { folder: 'string' }, others: { newKeys: 'boolean' } },
  etcd: {
    needed: { urls: 'list' },
    others: { prefix: 'string', caFile: 'string', certificateFile: 'string', keyFile: 'string' },
  },
};

const textLists = [
  ...(['names', 'load', 'staticManifests'] as const),
  ...(['enableAdmissionPlugins', 'disableAdmissionPlugins'] as const),
];

/** Throws a TypeError for options that are unknown, incomplete or of another type: they would have no effect. */
export function requireServerOptions(given: unknown): asserts given is ServerOptions {
  requireOptions(call, given, options);
  const values = given as Readonly<Record<keyof ServerOptions, unknown>>;
  for (const name of textLists) {
    requireTexts(name, values[name]);
  }
  requireMembers('oidc', values.oidc, oidc);
  for (const [name, known] of Object.entries(members)) {
    requireMembers(name, values[name as keyof ServerOptions], known);
  }
  requireStore(values.store);
}

function requireStore(store: unknown): void {
  if (!hasMembers(store)) return;
  const needed = { type: Object.keys(stores) };
  requireOptions(`${call}: \`store\``, { type: store['type'] ?? null }, needed);
  const { type } = store as StoreChoice;
  const known = stores[type];
  requireMembers('store', store, { ...known, needed: { ...needed, ...known.needed } });
  if (type === 'etcd') requireTexts('store.urls', store['urls']);
}

function requireMembers(name: string, value: unknown, { needed, others = {} }: Members): void {
  if (value === undefined) return;
  requireOptions(`${call}: \`${name}\``, value, { ...needed, ...others });
  const missing = Object.keys(needed).find(
    (member) => Reflect.get(value as object, member) === undefined,
  );
  if (missing !== undefined) throw new TypeError(`${call}: \`${name}\` has no \`${missing}\``);
}

function requireTexts(name: string, values: unknown): void {
  const texts = (values ?? []) as readonly unknown[];
  const wrong = texts.findIndex((value) => typeof value !== 'string');
  if (wrong < 0) return;
  throw new TypeError(
    `${call}: \`${name}\` contains ${describeValue(texts[wrong])}; every item must be a string`,
  );
}
