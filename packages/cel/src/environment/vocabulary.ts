import type { Declarations } from '../check/scope.ts';
import type { CheckedExpression } from '../declarations/checked-expression.ts';
import { Definitions, qualifiersOf } from '../declarations/definitions.ts';
import { mergeFunctions } from '../declarations/merge-functions.ts';
import { type FindNamedType, typeFrom } from '../declarations/signature.ts';
import { wellKnownTypes } from '../declarations/well-known.ts';
import type { ObjectType, ObjectTypes } from '../host/object-types.ts';
import type { MakeHostPath, PlanPaths } from '../plan/path.ts';
import type { PlanEnvironment } from '../plan/planning.ts';
import { mixedComparisons } from '../standard/operators.ts';
import { standardLibrary } from '../standard/standard-library.ts';
import type { ParseOptions } from '../syntax/expression-parser.ts';
import type { Issue } from '../syntax/issue.ts';
import type { Source } from '../syntax/source.ts';
import { dynType, structType, Type } from '../values/types.ts';
import { CelError, type Value } from '../values/value.ts';
import type { EnvironmentOptions } from './options.ts';
import {
  type CompilerVocabulary,
  isFree,
  standardDeclarations,
  standardPlanEnvironment,
} from './standard-vocabulary.ts';

/** Parts that do not follow from the options, or are known already. */
interface Known {
  readonly definitions?: Definitions | undefined;
  /** The types among the options, resolved. */
  readonly types?: ReadonlyMap<string, ObjectType>;
  /** The same, to convert values by. */
  readonly hostTypes?: ObjectTypes;
  /** How data of the host is read; absent where values of CEL are bound to variables. */
  readonly makePath?: MakeHostPath;
  /** How values of CEL are read faster. */
  readonly paths?: PlanPaths;
}

/** Types that kube-apiserver's provider of declared types finds as messages, though no value of them can be made. */
const declaredScalars: ReadonlySet<string> = new Set(['list', 'null_type']);

/** The meaning of an environment's names for the parser, the checker and the planner. Immutable. */
export class Vocabulary implements CompilerVocabulary {
  readonly options: EnvironmentOptions;
  readonly types: ReadonlyMap<string, ObjectType>;
  /** The types among the options, for converting values; absent without declared types. */
  readonly hostTypes: ObjectTypes | undefined;
  readonly variables: ReadonlyMap<string, Type>;
  readonly declarations: Declarations;
  readonly planEnvironment: PlanEnvironment;
  /** The declarations of the libraries, once computed. */
  known: Definitions | undefined;
  #parseOptions: ParseOptions | undefined = undefined;
  #qualifiers: ReadonlySet<string> | undefined = undefined;
  readonly #makePath: MakeHostPath | undefined;
  readonly #paths: PlanPaths | undefined;

  constructor(options: EnvironmentOptions, known: Known) {
    this.options = options;
    this.known = known.definitions;
    this.types = known.types ?? new Map();
    this.hostTypes = known.hostTypes;
    this.#makePath = known.makePath;
    this.#paths = known.paths;
    this.variables = new Map(
      Object.entries(options.variables ?? {}).map(([name, type]) => [name, this.typeOf(type)]),
    );
    // Combine the declarations of libraries now, so that their mistakes are reported here.
    if (options.libraries !== undefined) this.known ??= this.#define();
    this.declarations = this.#makeDeclarations();
    this.planEnvironment = this.#makePlanEnvironment();
  }

  /** All that the libraries and the types of the host declare. */
  get definitions(): Definitions {
    this.known ??= this.#define();
    return this.known;
  }

  /** How its texts are read. */
  get parseOptions(): ParseOptions {
    const { optionalSyntax, escapedIdentifiers } = this.options;
    this.#parseOptions ??= {
      ...(optionalSyntax === undefined ? {} : { optionalSyntax }),
      ...(escapedIdentifiers === undefined ? {} : { escapedIdentifiers }),
      macros: this.definitions.macros,
    };
    return this.#parseOptions;
  }

  describeSyntaxErrors(source: Source): readonly Issue[] {
    const { describeSyntaxErrors, optionalSyntax, escapedIdentifiers } = this.options;
    const described = describeSyntaxErrors?.(source.text, {
      macros: this.definitions.macros.map(
        ({ name, arity, member }) => `${member ? '.' : ''}${name}(${arity})`,
      ),
      optionalSyntax: optionalSyntax ?? true,
      escapedIdentifiers: escapedIdentifiers ?? true,
    });
    return (described ?? []).map((issue) => ({
      ...issue,
      code: 'syntax',
      position: source.offset(issue),
    }));
  }

  applyRules(checked: CheckedExpression): readonly Issue[] {
    const issues: Issue[] = [];
    for (const rule of [...(this.options.rules ?? []), ...this.definitions.rules]) {
      rule(checked, (at, message, code = 'literal') => {
        issues.push(checked.source.issue(code, at.position, message));
      });
    }
    const internal = issues.find(({ code }) => code === 'internal');
    return internal === undefined ? issues : [internal];
  }

  /** Finds the type of a name in signatures. */
  readonly namedType: FindNamedType = (name) =>
    this.types.has(name) || this.options.structs?.has(name) === true
      ? structType(name)
      : this.definitions.types.get(name);

  /** A type, or the one that a text such as `list<int>` names; throws a `TypeError` where it names none. */
  typeOf(type: Type | string): Type {
    return type instanceof Type ? type : typeFrom(type, this.namedType);
  }

  #define(): Definitions {
    const types = Array.from(this.types.keys(), structType);
    const libraries = [standardLibrary, ...(this.options.libraries ?? [])];
    if (types.length > 0) libraries.push({ name: 'registered types', types });
    return new Definitions(libraries, mergeFunctions);
  }

  #makeDeclarations(): Declarations {
    const { container = '', structs, constants } = this.options;
    const allowsMixed = this.options.mixedComparisons ?? true;
    const standard = standardDeclarations(() => this.definitions);
    const named = {
      namedType: standard.namedType,
      hasStruct: (name: string): boolean => this.#hasStruct(name),
      constant: (name: string): Value | undefined =>
        constants !== undefined && Object.hasOwn(constants, name)
          ? constants[name]
          : standard.constant(name),
    };
    return {
      ...standard,
      ...named,
      container,
      variableType: (name) =>
        this.variables.get(name) ??
        (this.options.unlistedVariablesAreDyn === true && isFree(name, named)
          ? dynType
          : undefined),
      fieldType: (struct, field) => {
        if (structs?.has(struct) === true) return structs.fieldType(struct, field);
        return this.hostTypes?.has(struct) === true
          ? this.hostTypes.fieldType(struct, field)
          : standard.fieldType(struct, field);
      },
      mayQualify: (name) => {
        if (structs !== undefined || container !== '' || standard.mayQualify(name)) return true;
        this.#qualifiers ??= qualifiersOf([
          this.variables,
          this.types,
          new Map(Object.entries(constants ?? {})),
        ]);
        return this.#qualifiers.has(name);
      },
      isDisabled: (overload) => !allowsMixed && mixedComparisons.has(overload),
    };
  }

  #hasStruct(name: string): boolean {
    return (
      this.options.structs?.has(name) === true || this.types.has(name) || wellKnownTypes.has(name)
    );
  }

  #makePlanEnvironment(): PlanEnvironment {
    const { structs, callCost } = this.options;
    const makePath = this.options.bindingsAreValues === true ? undefined : this.#makePath;
    const standard = standardPlanEnvironment(() => this.definitions);
    const types = this.hostTypes;
    return {
      host: makePath &&
        types && {
          typeOf: (name) => this.variables.get(name) ?? dynType,
          types,
          makePath,
        },
      paths: this.#paths,
      typeValue: (name) =>
        structs?.has(name) === true ? this.definitions.types.get(name) : standard.typeValue(name),
      hasStruct: (name) =>
        this.#hasStruct(name) || (structs !== undefined && declaredScalars.has(name)),
      structMaker: (name) => {
        if (!this.#hasStruct(name)) return () => new CelError(`unknown type '${name}'`);
        const create = structs?.has(name) === true ? structs.create : undefined;
        if (create !== undefined) return (fields) => create.call(structs, name, fields);
        const types = this.hostTypes?.has(name) === true ? this.hostTypes : undefined;
        return types === undefined
          ? standard.structMaker(name)
          : (fields) => types.create(name, fields);
      },
      fieldReader: (name) => (structs?.has(name) === true ? structs.fields?.(name) : undefined),
      callCost: (name, overload) =>
        this.definitions.overloadCosts.get(overload) ??
        callCost?.(name, overload) ??
        standard.callCost(name, overload),
    };
  }
}
