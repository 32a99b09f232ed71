import { TextInput } from '@mantine/core';
import { eTagOf, type SavedView, type SavedViewRequest } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';

type Props = {
  /** One that is renamed; without it, a new one is saved. */
  view?: SavedView;
  definition?: Omit<SavedViewRequest, 'name'>;
  onClose(): void;
  onSaved?(view: SavedView): void;
};

export function ViewDialog({ view, definition = {}, onClose, onSaved }: Props) {
  const { views: words, forms } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const form = useForm({ name: view?.name ?? '' }, ({ name }) => ({
    name: name.trim() === '' ? forms.required : undefined,
  }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (name: string) => {
      if (!view) return fleet.savedViews.create({ ...definition, name });
      const read = await fleet.savedViews.get(view.id);
      return fleet.savedViews.put(view.id, { ...read, name }, { ifMatch: eTagOf(read) });
    },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: queryKey('saved-view') });
      notifyDone(words.created(saved.name));
      onClose();
      onSaved?.(saved);
    },
  });
  return (
    <FormDialog
      title={view ? words.renameTitle : words.createTitle}
      submit={view ? words.rename : words.create}
      isDirty={form.isDirty}
      isPending={isPending}
      error={error}
      onSubmit={() => form.isValid() && mutate(form.values.name.trim())}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        description={words.nameHelp}
        required
        maxLength={100}
        data-autofocus
        {...form.text('name')}
      />
    </FormDialog>
  );
}
