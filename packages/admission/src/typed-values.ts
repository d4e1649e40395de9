import type { GroupVersionKind } from '@kubeadmit/engine';
import { type Schemas, type Shape, structNamed, structOf } from '@kubeadmit/schemas';

type Container = object;

/** A value that kube-apiserver holds as a Go struct, with its kind; or the request itself. */
export interface TypedRoot {
  readonly value: unknown;
  readonly kind: GroupVersionKind | 'request';
}

const requestTypes: Readonly<Record<string, string>> = {
  kind: 'v1.GroupVersionKind',
  requestKind: 'v1.GroupVersionKind',
  resource: 'v1.GroupVersionResource',
  requestResource: 'v1.GroupVersionResource',
  userInfo: 'v1.UserInfo',
};

/**
 * Finds the values in expressions that kube-apiserver holds as Go structs, lists and maps, which it
 * cannot write as values of JSON patches (apiserver cel/common/valuesschemalesstyped.go).
 */
export class TypedValues {
  private readonly schemas: Schemas;
  private readonly roots: readonly TypedRoot[];
  private problems: Map<Container, string> | undefined;

  constructor(schemas: Schemas, roots: readonly TypedRoot[]) {
    this.schemas = schemas;
    this.roots = roots;
  }

  /** Why a list or map cannot be written; `undefined` when it can. */
  problem(container: Container): string | undefined {
    this.problems ??= this.findAll();
    return this.problems.get(container);
  }

  private findAll(): Map<Container, string> {
    const problems = new Map<Container, string>();
    for (const { value, kind } of this.roots) {
      if (kind === 'request') addRequest(value, problems);
      else this.addStruct(value, structOf(this.schemas, kind)?.name, problems);
    }
    return problems;
  }

  private addStruct(
    value: unknown,
    name: string | undefined,
    problems: Map<Container, string>,
  ): void {
    if (!isContainer(value) || Array.isArray(value)) return;
    const struct = name === undefined ? undefined : structNamed(this.schemas, name);
    problems.set(value, structProblem(goName(name ?? '')));
    for (const [key, member] of Object.entries(value)) {
      this.add(member, struct?.byName.get(key)?.shape, problems);
    }
  }

  private add(value: unknown, shape: Shape | undefined, problems: Map<Container, string>): void {
    if (!isContainer(value)) return;
    if (Array.isArray(value)) {
      problems.set(value, listProblem);
      for (const element of value) this.add(element, shape?.element, problems);
    } else if (shape?.kind === 'struct') {
      this.addStruct(value, shape.struct, problems);
    } else {
      problems.set(value, mapProblem);
      for (const member of Object.values(value)) this.add(member, shape?.element, problems);
    }
  }
}

const listProblem = "type conversion error from 'list(dyn)' to '*structpb.Value'";
const mapProblem = "type conversion error from 'map(dyn, dyn)' to '*structpb.Value'";

function structProblem(goName: string): string {
  return `type conversion error from struct type ${goName} to *structpb.Value`;
}

// `core.v1.PodSpec` is `v1.PodSpec` to Go.
function goName(name: string): string {
  return name.split('.').slice(-2).join('.');
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function addRequest(request: unknown, problems: Map<Container, string>): void {
  if (!isContainer(request)) return;
  problems.set(request, structProblem('v1.AdmissionRequest'));
  for (const [key, member] of Object.entries(request)) {
    const type = requestTypes[key];
    if (isContainer(member) && type !== undefined) problems.set(member, structProblem(type));
    if (key === 'userInfo' && isContainer(member)) addPlain(Object.values(member), problems);
    if (key === 'options' && isContainer(member)) {
      problems.set(member, structProblem(`v1.${(member as { kind?: string }).kind ?? ''}`));
    }
  }
}

function addPlain(values: readonly unknown[], problems: Map<Container, string>): void {
  for (const value of values) {
    if (!isContainer(value)) continue;
    problems.set(value, Array.isArray(value) ? listProblem : mapProblem);
    addPlain(Object.values(value), problems);
  }
}
