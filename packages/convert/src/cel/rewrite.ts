import type { Expression } from '@kubeadmit/cel/syntax';

/**
 * The tree with some of its nodes replaced, from the leaves up; the same tree if none is. The arguments of macros are
 * replaced and not their expansions, so the result may only be printed.
 */
export function rewritten(
  expression: Expression,
  replace: (node: Expression) => Expression | undefined,
): Expression {
  const inner = withParts(expression, (part) => rewritten(part, replace));
  return replace(inner) ?? inner;
}

function withParts(node: Expression, change: (part: Expression) => Expression): Expression {
  const changed = (parts: readonly Expression[]): readonly Expression[] => {
    const made = parts.map(change);
    return made.every((part, at) => part === parts[at]) ? parts : made;
  };
  const { macro } = node;
  if (macro !== undefined) {
    const target = macro.target && change(macro.target);
    const given = changed(macro.arguments);
    const isSame = target === macro.target && given === macro.arguments;
    return isSame ? node : { ...node, macro: { ...macro, target, arguments: given } };
  }
  switch (node.kind) {
    case 'select': {
      const operand = change(node.operand);
      return operand === node.operand ? node : { ...node, operand };
    }
    case 'call': {
      const target = node.target && change(node.target);
      const given = changed(node.arguments);
      const isSame = target === node.target && given === node.arguments;
      return isSame ? node : { ...node, target, arguments: given };
    }
    case 'list': {
      const elements = changed(node.elements);
      return elements === node.elements ? node : { ...node, elements };
    }
    case 'map': {
      const entries = node.entries.map((entry) => {
        const [key, value] = [change(entry.key), change(entry.value)];
        return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
      });
      return entries.every((entry, at) => entry === node.entries[at]) ? node : { ...node, entries };
    }
    case 'struct': {
      const fields = node.fields.map((field) => {
        const value = change(field.value);
        return value === field.value ? field : { ...field, value };
      });
      return fields.every((field, at) => field === node.fields[at]) ? node : { ...node, fields };
    }
    default:
      return node;
  }
}
