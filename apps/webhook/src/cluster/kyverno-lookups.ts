import { type KubernetesObject, member, memberText } from '@kubeadmit/apimachinery';

/** A collection that rules look into. */
export interface Lookup {
  readonly apiVersion: string;
  readonly resource: string;
}

const roleBindings = 'rbac.authorization.k8s.io/v1';

/**
 * Returns the collections that Kyverno policies look up in addition to the object of the request.
 *
 * These are ConfigMaps, the API paths of `apiCall` and CEL functions, the resources of global context entries, and role
 * bindings if a rule matches by roles.
 */
export function kyvernoLookups(policies: Iterable<KubernetesObject>): readonly Lookup[] {
  const found = new Map<string, Lookup>();
  const add = (apiVersion: string, resource: string): void => {
    found.set(`${apiVersion} ${resource}`, { apiVersion, resource });
  };
  for (const policy of policies) {
    visit(member(policy, 'spec'), (name, value) => {
      if (name === 'configMap') add('v1', 'configmaps');
      if (name === 'kubernetesResource') addResource(value, add);
      if (name === 'urlPath' && typeof value === 'string') addPath(value, add);
      if (typeof value === 'string') addFunctions(value, add);
      if (isRoleMatch(name, value)) {
        add(roleBindings, 'rolebindings');
        add(roleBindings, 'clusterrolebindings');
      }
    });
  }
  return [...found.values()];
}

// The resource of a GlobalContextEntry.
function addResource(value: unknown, add: Add): void {
  const [group, version, resource] = ['group', 'version', 'resource'].map((field) =>
    memberText(value, field),
  );
  if (version && resource) add(group ? `${group}/${version}` : version, resource);
}

type Add = (apiVersion: string, resource: string) => void;

// Variables may stand for namespaces and names.
const apiPath =
  /^\/(?:api\/(v1)|apis\/([^/{}]+\/[^/{}]+))(?:\/namespaces\/[^/]+)?\/([a-z]+)(?:[/?]|$)/;

function addPath(path: string, add: Add): void {
  // A variable may contain slashes.
  const [, core, other, resource] = apiPath.exec(withoutVariables(path)) ?? [];
  const apiVersion = core ?? other;
  if (apiVersion !== undefined && resource !== undefined) add(apiVersion, resource);
}

/** A path with `x` in the place of each variable. */
function withoutVariables(path: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const open = path.indexOf('{{', at);
    const close = open === -1 ? -1 : path.indexOf('}}', open + 2);
    if (close === -1) return text + path.slice(at);
    text += `${path.slice(at, open)}x`;
    at = close + 2;
  }
}

const resourceCall = /resource\.(?:[Gg]et|[Ll]ist)\(\s*["']([^"']+)["']\s*,\s*["']([a-z]+)["']/g;

function addFunctions(expression: string, add: Add): void {
  for (const [, apiVersion = '', resource = ''] of expression.matchAll(resourceCall)) {
    add(apiVersion, resource);
  }
  if (/request\.(?:roles|clusterRoles)\b/.test(expression)) {
    add(roleBindings, 'rolebindings');
    add(roleBindings, 'clusterrolebindings');
  }
}

function isRoleMatch(name: string, value: unknown): boolean {
  return (name === 'roles' || name === 'clusterRoles') && Array.isArray(value) && value.length > 0;
}

function visit(value: unknown, see: (name: string, value: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    see(name, each);
    visit(each, see);
  }
}
