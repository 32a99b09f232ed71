import Type, { type Static } from 'typebox';
import type { ValidationIssue } from '../../platform/http/problem.ts';

export const itemTypes = ['check', 'number', 'text', 'select'] as const;

/** Shared by the entries of vehicles and of templates. */
export const itemProperties = {
  title: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'What is to be checked.',
    examples: ['Tyres on the car'],
  }),
  type: Type.Enum([...itemTypes], {
    type: 'string',
    description:
      'What the answer is: `check` true or false, `number` a number, `text` words, `select` one of the options.',
    examples: ['select'],
  }),
  options: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'What can be selected; always with the type select, never with another.',
      examples: [['summer', 'winter', 'all-season']],
    }),
  ),
};

export const requiredDescription = 'Whether the check is not done before this entry is answered.';

export const ItemRequestSchema = Type.Object(
  {
    ...itemProperties,
    required: Type.Optional(Type.Boolean({ default: false, description: requiredDescription })),
  },
  { additionalProperties: false },
);
export type ItemRequest = Static<typeof ItemRequestSchema>;

export type Value = boolean | number | string;

/** Checks across fields; `at` is the pointer to the item. */
export function itemIssues(item: ItemRequest & { value?: Value }, at: string): ValidationIssue[] {
  const { type, options, value } = item;
  if (type === 'select' && options === undefined) {
    return [{ pointer: `${at}/options`, detail: 'options are required with the type select.' }];
  }
  const issues: ValidationIssue[] = [];
  if (type !== 'select' && options !== undefined) {
    issues.push({
      pointer: `${at}/options`,
      detail: `options go with the type select, not with ${type}.`,
    });
  }
  if (value !== undefined && !matchesType(value, item)) {
    issues.push({
      pointer: `${at}/value`,
      detail: `value must be ${expected[type]}, since the type is ${type}.`,
    });
  }
  return issues;
}

function matchesType(value: Value, { type, options }: ItemRequest): boolean {
  if (type === 'select') return options?.includes(value as string) ?? false;
  const kind = { check: 'boolean', number: 'number', text: 'string' }[type];
  return typeof value === kind;
}

const expected = {
  check: 'true or false',
  number: 'a finite number',
  text: 'a string',
  select: 'one of the options',
};
