import { describeValue, hasMembers, type OptionKind, requireOptions } from '@kubeadmit/base';

const clusterOptions: Readonly<Record<string, OptionKind>> = {
  resources: 'list',
  staticPolicies: 'object',
  kubernetesVersion: 'string',
  now: 'string',
  emulated: 'boolean',
  authorizer: 'object',
  previous: 'any',
  areImmutable: 'boolean',
  takesNotes: 'boolean',
  onErrors: 'any',
  checkDefinitions: 'boolean',
  unreadableKinds: 'list',
  plugins: 'object',
  observe: 'function',
};

const optionsOf: Readonly<Record<string, Readonly<Record<string, OptionKind>>>> = {
  loadCluster: { ...clusterOptions, schemas: 'any' },
  prepareCluster: clusterOptions,
};

/**
 * Checks the options of a cluster; without this check, invalid options would silently produce a cluster without
 * policies.
 *
 * @throws TypeError if the options are invalid
 */
export function requireClusterOptions(
  name: 'loadCluster' | 'prepareCluster',
  options: unknown,
): void {
  if (!hasMembers(options) || options instanceof Promise) {
    throw new TypeError(
      `${name}: expected options, as in ${name}({ resources: […] }), got ${describeValue(options)}`,
    );
  }
  const { resources, onErrors, previous } = options;
  requireObjects(name, 'resources', resources);
  if (onErrors !== undefined && onErrors !== 'throw' && onErrors !== 'report') {
    throw new TypeError(
      `${name}: \`onErrors\` must be "throw" or "report", got ${describeValue(onErrors)}`,
    );
  }
  requireOptions(name, options, optionsOf[name] ?? {});
  if (previous !== undefined) requireCluster(`${name}: \`previous\``, previous);
}

/** @throws TypeError if the value is not a list of objects; the message names the first invalid item */
export function requireObjects(call: string, name: string, given: unknown): void {
  if (!Array.isArray(given)) {
    throw new TypeError(
      `${call}: \`${name}\` must be a list of objects, got ${describeValue(given)}`,
    );
  }
  const wrong = given.findIndex((each) => !hasMembers(each) || each instanceof Promise);
  if (wrong < 0) return;
  const what = describeValue(given[wrong]);
  throw new TypeError(
    `${call}: \`${name}[${wrong}]\` must be an object of Kubernetes, got ${what}`,
  );
}

/**
 * Requires a cluster.
 *
 * @throws TypeError when it is something else, such as the promise of one.
 */
export function requireCluster(name: string, cluster: unknown): void {
  if (hasMembers(cluster) && cluster['policies'] !== undefined && cluster['loaded'] !== undefined) {
    return;
  }
  throw new TypeError(
    `${name}: expected a cluster from \`prepareCluster\`, got ${describeValue(cluster)}`,
  );
}

/**
 * Requires a successful result of `prepareRequest`.
 *
 * @throws TypeError when it is something else, such as the request itself, or why it could not be read.
 */
export function requirePrepared(call: string, prepared: unknown): void {
  if (hasMembers(prepared)) {
    if (hasMembers(prepared['attributes']) && 'environment' in prepared) return;
    const { failure } = prepared;
    if (typeof failure === 'string') {
      throw new TypeError(`${call}: expected a prepared request, got the failure \`${failure}\``);
    }
  }
  throw new TypeError(
    `${call}: expected a result of \`prepareRequest\`, got ${describeValue(prepared)}`,
  );
}

/**
 * Requires the object of a request, or null: undefined would be no object, of which policies have nothing to say.
 *
 * @throws TypeError when it is something else.
 */
export function requireObject(call: string, object: unknown): void {
  if (object === null || (hasMembers(object) && !(object instanceof Promise))) return;
  throw new TypeError(`${call} expects the current object or null, not ${describeValue(object)}`);
}

const requestOptions: Readonly<Record<string, OptionKind>> = {
  allowIncomplete: 'boolean',
  isHeld: 'boolean',
  isOfClient: 'boolean',
  now: 'string',
};

/** @throws TypeError when the options of a request are something else. */
export function requireRequestOptions(name: string, options: unknown): void {
  if (options !== undefined) requireOptions(name, options, requestOptions);
}
