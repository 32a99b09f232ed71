// The item of a vehicle is rendered as text by SQL, up to its status once for all reads of it, so that a page is
// neither parsed nor rendered by the service (docs/decisions/0019-fast-search.md).

import type { Field } from '../../platform/search/field.ts';
import { vehicleFields } from './vehicle-fields.ts';

/** In SQL: the fields under a path as members of a JSON object; what is null is absent. */
function membersOf(parent: string, column = ({ column }: Field) => column): string {
  const members = childrenOf(parent).map((field) =>
    field.type === 'object' ? nested(field) : member(field, column(field)),
  );
  return `concat_ws(',', ${members.join(', ')})`;
}

/** The same by functions that are immutable, as a distributed database demands where a row is updated. */
function immutableMembersOf(parent: string, column: (field: Field) => string): string {
  const members = childrenOf(parent).map((field) => {
    const begin = `${nameOf(field.path)}:`;
    const value = column(field);
    switch (field.type) {
      case 'number':
      case 'boolean':
        return `'${begin}' || ${value}::text`;
      case 'uuid':
        return `'${begin}"' || ${value}::text || '"'`;
      case 'date':
        return `'${begin}"' || item_date(${value}) || '"'`;
      default:
        return `'${begin}' || item_text(${value})`;
    }
  });
  return `item_members(${members.join(', ')})`;
}

/** Known as a whole, or absent. */
function nested({ path }: Field): string {
  const begin = `${nameOf(path)}:{`;
  const members = childrenOf(path).map((field, index) =>
    member(field, field.column, index === 0 ? begin : ','),
  );
  return `${members.join(' || ')} || '}'`;
}

function childrenOf(parent: string): Field[] {
  return vehicleFields.filter(({ path }) => path.slice(0, path.lastIndexOf('.')) === parent);
}

function nameOf(path: string): string {
  return JSON.stringify(path.slice(path.lastIndexOf('.') + 1));
}

const times = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

// Concatenated, which is faster than json_build_object.
function member({ path, type }: Field, value: string, before = ''): string {
  const begin = `${before}${nameOf(path)}:`;
  switch (type) {
    case 'number':
    case 'boolean':
      return `'${begin}' || ${value}`;
    case 'uuid':
    case 'date':
      return `'${begin}"' || ${value} || '"'`;
    case 'date-time':
      return `'${begin}"' || to_char(${value}, '${times}') || '"'`;
    default:
      return `'${begin}' || to_json(${value})`;
  }
}

/** In SQL: what `vehicles.item` holds, the item up to its status, of the row `v` or of the row that `rowOf` names. */
export function storedItem(
  rowOf: (field: Field) => string = () => 'v',
  members: (parent: string, column: (field: Field) => string) => string = membersOf,
): string {
  const column = (field: Field) => field.column.replace(/\bv\./, `${rowOf(field)}.`);
  return `'{"asset":{' || ${members('asset', column)} || '},"information":{' || ${members('information', column)} || '}'`;
}

/** In SQL: the same of a row that is updated. */
export function updatedItem(rowOf: (field: Field) => string): string {
  return storedItem(rowOf, immutableMembersOf);
}

const statusMembers = membersOf('status');

/** In SQL: the item of the interface as text. */
export const vehicleItem = `v.item || ',"status":{' || ${statusMembers} || '}}'`;

/** In SQL: its status alone. */
export const statusItem = `'{' || ${statusMembers} || '}'`;
