import { ActionIcon, Button, Menu } from '@mantine/core';
import { eTagOf, type SavedView } from '@motorpool/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { notifyDone, notifyProblem } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { SaveConflict } from '../../../forms/save-change.ts';
import { Icon } from '../../../icons/icon.tsx';
import { useFleet, useMay } from '../../../session/connection.tsx';
import type { TableSearch } from '../../../table/table-search.ts';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { ViewDialog } from './view-dialog.tsx';
import { definitionOf, differs, searchOfView } from './view-search.ts';
import classes from './views.module.css';

/** As many as a provider may have. */
const maxViews = 100;

/** The views that colleagues share, as tabs; what was changed can be saved into one. */
export function ViewTabs({ search }: { search: TableSearch }) {
  const texts = useTexts();
  const { views: words, forms } = texts;
  const fleet = useFleet();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayEdit = useMay('editor');
  const [dialog, setDialog] = useState<'create' | 'rename' | 'delete'>();
  const close = () => setDialog(undefined);
  const { data } = useQuery({
    queryKey: queryKey('saved-view', 'list'),
    queryFn: ({ signal }) =>
      fleet.savedViews.find({ pagination: { pageSize: maxViews } }, { signal }).page(),
    staleTime: 60_000,
  });
  const views = data?.items ?? [];
  const current = views.find(({ id }) => id === search.view);
  const isChanged = current ? differs(current, search) : differs({}, search);
  // What somebody began with: the version that the address was equal to last, else the first that was seen of it.
  const [base, setBase] = useState<SavedView>();
  if (current && current !== base && (current.id !== base?.id || !isChanged)) setBase(current);
  const renew = () => queries.invalidateQueries({ queryKey: queryKey('saved-view') });
  const open = (view: SavedView) => void navigate({ to: '/vehicles', search: searchOfView(view) });
  const [created, setCreated] = useState<SavedView>();
  // Once the dialog is gone, which warns whoever leaves it.
  useEffect(() => {
    if (created) void navigate({ to: '/vehicles', search: searchOfView(created) });
  }, [created, navigate]);
  const save = useMutation({
    mutationFn: async (began: SavedView) => {
      const { id } = began;
      // A list has no versions: it is read once more, and must have what was begun with, by whatever name.
      const read = await fleet.savedViews.get(id);
      if (differs(read, searchOfView(began)))
        throw new SaveConflict({ base: began, draft: search }, read);
      const body = { ...definitionOf(search), name: read.name };
      return fleet.savedViews.put(id, body, { ifMatch: eTagOf(read) });
    },
    onSuccess: (saved) => {
      setBase(saved);
      notifyDone(words.created(saved.name));
    },
    onError: (error) => {
      if (!(error instanceof SaveConflict)) notifyProblem(error, texts);
    },
    onSettled: renew,
  });
  const conflict: SaveConflict<SavedView, TableSearch> | undefined =
    save.error instanceof SaveConflict ? save.error : undefined;
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => fleet.savedViews.delete(id),
    onSuccess: () => {
      close();
      void navigate({ to: '/vehicles', search: {} });
    },
    onSettled: renew,
  });
  return (
    <div className={classes.bar}>
      <nav className={classes.tabs} aria-label={words.views}>
        <Link
          to="/vehicles"
          search={{}}
          className={classes.tab}
          aria-current={current ? undefined : 'page'}
          data-current={!current || undefined}
        >
          {words.all}
        </Link>
        {views.map((view) => (
          <Link
            key={view.id}
            to="/vehicles"
            search={searchOfView(view)}
            className={classes.tab}
            aria-current={view === current ? 'page' : undefined}
            data-current={view === current || undefined}
          >
            {view.name}
            {view === current && isChanged && (
              <span className={classes.changed}>{words.changed}</span>
            )}
          </Link>
        ))}
        {mayEdit && current && (
          <Menu position="bottom-start">
            <Menu.Target>
              <ActionIcon size="sm" aria-label={words.menu(current.name)}>
                <Icon name="ellipsis" size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<Icon name="pencil" size={16} />}
                onClick={() => setDialog('rename')}
              >
                {words.rename}
              </Menu.Item>
              <Menu.Item
                leftSection={<Icon name="trash-2" size={16} />}
                c="var(--state-danger)"
                onClick={() => setDialog('delete')}
              >
                {forms.delete}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </nav>
      {isChanged && (
        <div className={classes.actions}>
          {current && (
            <Button variant="subtle" onClick={() => open(current)}>
              {words.undo}
            </Button>
          )}
          {mayEdit && current && (
            <Button
              variant="default"
              loading={save.isPending}
              onClick={() => save.mutate(base ?? current)}
            >
              {words.saveChanges}
            </Button>
          )}
          {mayEdit && (
            <Button
              variant="default"
              leftSection={<Icon name="bookmark" size={16} />}
              onClick={() => setDialog('create')}
            >
              {current ? words.saveAsNew : words.save}
            </Button>
          )}
        </div>
      )}
      {conflict && (
        <ConfirmDialog
          title={forms.conflict.title}
          text={words.replaceText(conflict.theirs.name)}
          confirm={words.replace}
          isPending={save.isPending}
          onConfirm={() => save.mutate(conflict.theirs)}
          onClose={save.reset}
        />
      )}
      {dialog === 'create' && (
        <ViewDialog definition={definitionOf(search)} onClose={close} onSaved={setCreated} />
      )}
      {dialog === 'rename' && current && <ViewDialog view={current} onClose={close} />}
      {dialog === 'delete' && current && (
        <ConfirmDialog
          title={words.deleteTitle(current.name)}
          text={words.deleteText}
          confirm={words.deleteConfirm}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(current)}
          onClose={close}
        />
      )}
    </div>
  );
}
