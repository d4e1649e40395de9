/** How the template of pods lies in the objects of pod controllers. */
export type TemplatePlace = 'defaults' | 'cronjobs';

/** The paths of the template. */
export const templatePaths: Readonly<Record<TemplatePlace, string>> = {
  defaults: 'spec.template',
  cronjobs: 'spec.jobTemplate.spec.template',
};

/** Patterns of the pod fields that generated CEL expressions read, by place. */
const generated: Readonly<Record<TemplatePlace, RegExp>> = {
  defaults: readingOf(templatePaths.defaults),
  cronjobs: readingOf(templatePaths.cronjobs),
};

function readingOf(template: string): RegExp {
  const path = template.replaceAll('.', '\\.');
  return new RegExp(`\\b(object|oldObject|Object)\\.${path}\\.(spec|metadata)\\b`, 'g');
}

/** An expression of CEL that was generated for a place of the template, in the words of the one that it was made of. */
export function asWritten(expression: string, place: TemplatePlace): string {
  return expression.replaceAll(generated[place], '$1.$2');
}
