import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { Resource, Subresource } from '@kubeadmit/schemas';
import { apiPath } from '../objects/group-version.ts';
import { listParameters } from '../options/list-options.ts';

/** The paths of an OpenAPI document. */
export type Paths = Record<string, Record<string, unknown>>;

const string = { type: 'string', uniqueItems: true };
const boolean = { type: 'boolean', uniqueItems: true };

function query(name: string, schema: object = string): object {
  return { name, in: 'query', schema };
}

const writeParameters = [query('dryRun'), query('fieldManager'), query('fieldValidation')];
const queryOfList = Object.entries(listParameters).map(([name, type]) =>
  query(name, { type, uniqueItems: true }),
);

const actions: Readonly<Record<string, readonly [method: string, action: string]>> = {
  get: ['get', 'get'],
  list: ['get', 'list'],
  create: ['post', 'post'],
  update: ['put', 'put'],
  patch: ['patch', 'patch'],
  delete: ['delete', 'delete'],
  deletecollection: ['delete', 'deletecollection'],
};

const collectionVerbs: ReadonlySet<string> = new Set(['list', 'create', 'deletecollection']);

/** Returns the name of the schema of a kind. */
type SchemaOf = (kind: GroupVersionKind) => string;

interface KindSchemas {
  readonly schemaOf: SchemaOf;
  /** Returns the name of the schema of lists of a kind. */
  readonly listOf: SchemaOf;
}

/** Adds the operations of a resource and its subresources to paths. */
export function addOperations(paths: Paths, resource: Resource, schemas: KindSchemas): void {
  const place = resource.namespaced ? '/namespaces/{namespace}' : '';
  const base = `${apiPath(resource)}${place}/${resource.resource}`;
  for (const verb of resource.verbs) {
    const path = collectionVerbs.has(verb) ? base : `${base}/{name}`;
    addOne(paths, path, { verb, target: resource, resource, schemas });
  }
  for (const subresource of resource.subresources) {
    if (subresource.connect) continue;
    const path = `${base}/{name}/${subresource.name}`;
    for (const verb of subresource.verbs)
      addOne(paths, path, { verb, target: subresource, resource, schemas });
  }
}

interface Operation {
  readonly verb: string;
  readonly target: Resource | Subresource;
  readonly resource: Resource;
  readonly schemas: KindSchemas;
}

function addOne(paths: Paths, path: string, { verb, target, resource, schemas }: Operation): void {
  const action = actions[verb];
  if (action === undefined) return;
  const [method, name] = action;
  const { group, version, kind } = target;
  const answered = verb === 'list' ? schemas.listOf(target) : schemas.schemaOf(target);
  const schema = { $ref: `#/components/schemas/${answered}` };
  paths[path] ??= parametersOf(
    (path.match(/\{(\w+)\}/g) ?? []).map((each) => ({
      name: each.slice(1, -1),
      in: 'path',
      required: true,
      schema: string,
    })),
  );
  const isPatch = method === 'patch';
  const hasBody = method === 'post' || method === 'put';
  const types = [
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    ...(resource.definition === undefined ? ['application/strategic-merge-patch+json'] : []),
  ];
  const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }]));
  paths[path][method] = {
    ...parametersOf(
      verb === 'list' || verb === 'deletecollection'
        ? queryOfList
        : isPatch
          ? [...writeParameters, query('force', boolean)]
          : hasBody
            ? writeParameters
            : [],
    ),
    ...(isPatch ? { requestBody: { content, required: true } } : {}),
    ...(hasBody ? { requestBody: { content: { '*/*': { schema } }, required: true } } : {}),
    responses: { '200': { description: 'OK', content: { 'application/json': { schema } } } },
    'x-kubernetes-action': name,
    'x-kubernetes-group-version-kind': { group, kind, version },
  };
}

// Empty lists are left out, as Go leaves them out that reads and writes such documents.
function parametersOf<Parameter>(parameters: readonly Parameter[]): {
  readonly parameters?: readonly Parameter[];
} {
  return parameters.length === 0 ? {} : { parameters };
}
