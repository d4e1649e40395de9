import { CelError, type Value } from '@kubeadmit/cel';
import type { CheckedExpression } from '@kubeadmit/cel/internal';
import type { Expression } from '@kubeadmit/cel/syntax';
import { quote } from '@kubeadmit/go/internal';

/**
 * Prefix of the names of fields that an expression reads with a known type; a lone surrogate cannot occur in CEL
 * source.
 */
const mark = '\ud800';

/** Whether a type is one of the parts of apply configurations: `Object`, `Object.spec` and so on. */
export function isObjectName(name: string): boolean {
  return name === 'Object' || name.startsWith('Object.');
}

/** The name of such a field; undefined for all others. */
export function typedField(name: string): string | undefined {
  return name.startsWith(mark) ? name.slice(mark.length) : undefined;
}

/** An expression whose fields are marked, and what to make of what its evaluation tells. */
export interface TypedFields {
  /** To be planned. */
  readonly checked: CheckedExpression;
  /** The part of the expression as it was written, for one of the marked expression. */
  asWritten(part: Expression): Expression;
  /** A result, in which errors name fields as they were written. */
  withoutMarks(result: Value): Value;
}

/**
 * Marks the fields that an expression reads of what it knows to be a part of an apply configuration: parts have fields
 * for these alone, and none where their type is not known, as through `dyn` (cel-go's `fieldQualifier`).
 *
 * Undefined for an expression that reads none.
 */
export function typedFieldsOf(checked: CheckedExpression): TypedFields | undefined {
  const { types } = checked;
  const isTyped = (node: Expression): boolean => {
    const type = node.kind === 'select' ? types[node.operand.id] : undefined;
    return type?.kind === 'struct' && isObjectName(type.name);
  };
  const written = new Map<Expression, Expression>();
  let isAny = false;
  const marked = (node: Expression): Expression => {
    const made = withParts(node, marked);
    const named =
      made.kind === 'select' && isTyped(node) ? { ...made, field: mark + made.field } : made;
    isAny ||= named !== made;
    written.set(named, node);
    return named;
  };
  const expression = marked(checked.expression);
  return isAny
    ? {
        checked: { ...checked, expression },
        asWritten: (part) => written.get(part) ?? part,
        withoutMarks,
      }
    : undefined;
}

// A field of null, which may stand in the place of a part.
const missing = `no such key: ${mark}`;

function withoutMarks(result: Value): Value {
  if (!(result instanceof CelError) || !result.message.startsWith(missing)) return result;
  return new CelError(`cannot get field ${quote(result.message.slice(missing.length))}`);
}

function withParts(node: Expression, marked: (part: Expression) => Expression): Expression {
  switch (node.kind) {
    case 'select':
      return { ...node, operand: marked(node.operand) };
    case 'call':
      return {
        ...node,
        target: node.target && marked(node.target),
        arguments: node.arguments.map(marked),
      };
    case 'list':
      return { ...node, elements: node.elements.map(marked) };
    case 'map':
      return {
        ...node,
        entries: node.entries.map((entry) => ({
          ...entry,
          key: marked(entry.key),
          value: marked(entry.value),
        })),
      };
    case 'struct':
      return {
        ...node,
        fields: node.fields.map((field) => ({ ...field, value: marked(field.value) })),
      };
    case 'comprehension':
      return {
        ...node,
        range: marked(node.range),
        initial: marked(node.initial),
        condition: marked(node.condition),
        step: marked(node.step),
        result: marked(node.result),
      };
    default:
      return node;
  }
}
