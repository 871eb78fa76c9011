import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";

import type { ModalProps, InfoTopic } from "../../navigation/modals.ts";
import { OverlayLink, useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { findCollection, useCollections } from "../collections/api.ts";
import { Badge, badgeNames } from "./badge.tsx";
import { topics } from "./topics.ts";

import s from "./info-modal.module.css";

/** What a special collection or a badge means (spec §2.4 Info modals): the badge, two paragraphs, one link. */
export default function InfoModal({ modal: { topic } }: ModalProps<{ kind: "info"; topic: InfoTopic }>) {
  const { title, words, kinds, collection } = topics[topic];
  const { data: all } = useCollections();
  const to = paths.collection(collection);
  const isOpenBelow = useNavigation(({ layers }) => layers.stack.some(({ location }) => location?.pathname === to));
  const [first, ...rest] = words;
  const [kind] = kinds;
  return (
    <DialogBody>
      <div className={s.info}>
        <DialogTitle>{title}</DialogTitle>
        <div className={s.first}>
          {kind && kinds.length === 1 && <Badge kind={kind.badge} size="lg" />}
          <p>{first}</p>
        </div>
        {rest.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {kinds.length > 1 && (
          <ul className={s.kinds}>
            {kinds.map(({ badge, words }) => (
              <li key={badge}>
                <Badge kind={badge} size="md" />
                <p>
                  <strong>{badgeNames[badge]}</strong>
                  {words}
                </p>
              </li>
            ))}
          </ul>
        )}
        {!isOpenBelow && findCollection(all, collection) && (
          <OverlayLink to={to} className={s.link}>
            See all of {title}
          </OverlayLink>
        )}
      </div>
    </DialogBody>
  );
}
