import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The looks of the editor, in the colours of the page, so that light and dark follow it. */
export const editorTheme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '13px',
    backgroundColor: 'transparent',
    color: 'var(--vp-c-text-1)',
  },
  '&.cm-focused': { outline: '2px solid var(--vp-c-brand-1)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--vp-font-family-mono)', lineHeight: '1.6' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--vp-c-text-2)',
    border: 'none',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--vp-c-default-soft)' },
  '.cm-cursor': { borderLeftColor: 'var(--vp-c-text-1)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--vp-c-brand-soft)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--vp-c-bg-elv)',
    color: 'var(--vp-c-text-1)',
    border: '1px solid var(--vp-c-divider)',
    borderRadius: '6px',
    maxWidth: '560px',
  },
  '.known-of': { padding: '6px 10px', maxWidth: '520px', maxHeight: '320px', overflow: 'auto' },
  '.known-of p, .known-of ul': { margin: '4px 0', lineHeight: '1.45' },
  '.known-of ul': { paddingLeft: '18px', listStyle: 'disc' },
  '.known-of pre': {
    margin: '2px 0 6px',
    fontFamily: 'var(--vp-font-family-mono)',
    whiteSpace: 'pre-wrap',
  },
  '.cm-tooltip.cm-completionInfo': { padding: '0' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--vp-c-brand-3)',
    color: 'var(--vp-c-white)',
  },
  '.cm-diagnosticAction': { backgroundColor: 'var(--vp-c-brand-3)', color: 'var(--vp-c-white)' },
  '.cm-panels': { backgroundColor: 'var(--vp-c-bg-soft)', color: 'var(--vp-c-text-1)' },
});

/** The colours of YAML and of CEL within it. */
export const editorColours: HighlightStyle = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: tags.content, color: 'var(--vp-c-text-1)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.comment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
  { tag: tags.special(tags.variableName), color: 'var(--code-key)', fontWeight: '600' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--vp-c-text-2)' },
]);
