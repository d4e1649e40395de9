import type { Schemas } from '@kubeadmit/schemas';
import type { KindEnvironment } from './cel/kind-environment.ts';
import { environmentsOf } from './cel/policy-environments.ts';
import { FieldTypes } from './fields/field-types.ts';
import type { JsonSchema } from './fields/json-schema-types.ts';
import type { PolicyView } from './policy/policy-view.ts';
import type { Workspace } from './workspace/workspace.ts';

/** What the features share: the files, the kinds, and what was made of them. */
export class ServiceContext {
  readonly workspace: Workspace;
  #made: { readonly schemas: Schemas; readonly types: FieldTypes } | undefined;
  #environments: WeakMap<PolicyView, readonly KindEnvironment[]> = new WeakMap();

  readonly #suites: JsonSchema | undefined;

  /** @param suites the schema of suites of tests */
  constructor(workspace: Workspace, suites?: JsonSchema) {
    this.workspace = workspace;
    this.#suites = suites;
  }

  get schemas(): Schemas {
    return this.#current().schemas;
  }

  get types(): FieldTypes {
    return this.#current().types;
  }

  /** The environments of a policy, one for each kind that it matches. */
  environments(policy: PolicyView): readonly KindEnvironment[] {
    const { schemas, types } = this.#current();
    const known = this.#environments.get(policy) ?? environmentsOf(policy, schemas, types);
    this.#environments.set(policy, known);
    return known;
  }

  #current(): { readonly schemas: Schemas; readonly types: FieldTypes } {
    const { schemas } = this.workspace;
    if (this.#made?.schemas !== schemas) {
      this.#made = { schemas, types: new FieldTypes(schemas, this.#suites) };
      this.#environments = new WeakMap();
    }
    return this.#made;
  }
}
