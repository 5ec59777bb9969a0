"""French."""

from training.invent.invoices.words.base import words

FRENCH = words(
    captions="""
title: Facture | FACTURE | Facture de vente | Note d'honoraires | Facture client
credit_title: Avoir | AVOIR | Facture d'avoir | Note de crédit
number: N° de facture | Facture n° | Numéro | N° facture | Facture N° | Réf. facture | N° | Numéro de pièce
date: Date de facture | Date | Date d'émission | Date facture | Le | Facturé le | Émise le
due: Date d'échéance | Échéance | À payer avant le | Date limite de paiement | Échéance le
order: N° de commande | Votre commande | Bon de commande | Réf. commande | Commande n°
customer_id: N° client | Code client | Client n° | Réf. client | Numéro de client
delivery: Date de livraison | Livré le | Date de prestation
period: Période | Période de facturation | Période de prestation
vendor_tax: N° TVA | TVA intracommunautaire | N° TVA intracom. | N° de TVA | TVA
customer_tax: Votre N° TVA | TVA client | N° TVA client
bill_to: Facturé à | Adresse de facturation | Client | Destinataire | À l'attention de
ship_to: Livré à | Adresse de livraison | Livraison
contact: Contact | Votre interlocuteur | Suivi par | Affaire suivie par
pos: N° | Pos. | Ligne | #
code: Référence | Réf. | Code article | Article
description: Désignation | Description | Libellé | Prestation | Désignation des produits
quantity: Quantité | Qté | Qté. | Nombre
unit: Unité | U. | Un.
price: Prix unitaire | P.U. HT | PU HT | Prix unit. | Prix HT | P.U.
discount: Remise | Rem. % | Rabais
rate: TVA | Taux TVA | TVA % | % TVA
amount: Montant HT | Total HT | Montant | Total | Prix total HT
subtotal: Total HT | Sous-total | Montant HT | Total hors taxes | Net HT | Base HT
total_discount: Remise | Remise globale | Rabais | Escompte
tax: TVA | TVA {rate} | Montant TVA | T.V.A. {rate} | Total TVA
total_tax: Total TVA | Montant TVA | TVA totale
total: Total TTC | Montant TTC | Total général | TOTAL TTC | Net TTC | Total
prepaid: Acompte | Acompte versé | Déjà réglé | Avance
amount_due: Net à payer | Reste à payer | Montant dû | Solde à payer | Solde
carried: Report | À reporter | Total à reporter
base: Base HT | Montant HT | Base
iban: IBAN | Compte IBAN
bic: BIC | SWIFT
bank: Banque | Coordonnées bancaires | Domiciliation
page: Page {page} sur {pages} | Page {page}/{pages} | {page}/{pages}
phone: Tél. | Téléphone | Tél
register: RCS | SIRET | SIREN
reference: Nos réf. | Devis n° | Chantier | Contrat n° | Affaire
strange: Bon de livraison | Date de commande | N° de commande interne | Représentant | Code affaire | N° fournisseur | Mode de transport | SIRET | Chantier | Dossier | N° de contrat | Compteur
""",
    sentences="""
intro: Nous vous prions de trouver ci-dessous le détail de votre commande. | Prestations réalisées : | Madame, Monsieur, veuillez trouver notre facture pour : | Merci de votre confiance. Détail :
numbered: Facture n° {number} du {date} | Facture {number}, émise le {date} | Notre facture {number} en date du {date}
terms: Paiement à {days} jours net. | Règlement sous {days} jours à réception. | Conditions de paiement : {days} jours | À régler dans un délai de {days} jours.
discount_terms: Escompte de {percent} pour paiement sous {days} jours. | {percent} d'escompte à {days} jours
due_on: À régler avant le {due}. | Paiement par virement au plus tard le {due}. | Échéance au {due}.
thanks: Merci pour votre achat ! | Nous vous remercions de votre confiance. | Cordialement
exempt: TVA non applicable, art. 293 B du CGI. | Autoliquidation de la TVA. | Exonération de TVA, livraison intracommunautaire.
credit: Avoir sur la facture {reference}. | Annulation partielle de notre facture {reference}.
total_sentence: Arrêtée la présente facture à la somme de {total}. | Nous vous remercions de virer {total} sur notre compte.
note: Pas d'escompte pour paiement anticipé. | Indemnité forfaitaire pour frais de recouvrement : 40 €. | Les marchandises restent notre propriété jusqu'au paiement intégral. | Bon de livraison {code}, 12 colis, 148 kg | Horaires : du lundi au vendredi, 8h30 à 17h
""",
    articles="""
pce 2 60: Câble USB 2 m | Stylo bille bleu, boîte de 50 | Boulon M8x40 | Ampoule LED E27 9 W | Gants de protection taille L | Poignée de porte inox | Papier A4 80 g | Toner noir | Rallonge 5 m | Trousse de secours | Mug imprimé | Sac de terreau 40 l
pce 80 2400: Fauteuil de bureau | Imprimante laser | Ordinateur portable 14" | Bureau réglable | Perceuse sans fil 18 V | Commutateur réseau 24 ports | Pompe à eau | Armoire de classement | Caméra de surveillance | Radiateur acier | Lavabo avec robinetterie
h fine 35 180: Conseil | Développement logiciel | Installation sur site | Gestion de projet | Création graphique | Travaux d'électricité | Assistance technique | Relecture | Main-d'œuvre peinture
kg fine 1 24: Café en grains arabica | Farine de blé T55 | Fil de cuivre | Pommes catégorie I | Chutes de tôle
mois 9 420: Hébergement web | Licence logicielle monoposte | Nettoyage des bureaux | Contrat de maintenance | Location de box | Ligne internet fibre
jour 180 1250: Animation d'atelier | Location de grue avec opérateur | Formation sur site | Location de voiture
forfait 15 900: Frais de port | Frais de déplacement | Frais de mise en service | Éco-participation | Supplément express
""",
    details="couleur : anthracite | taille XL | n° de série 4471-B | selon votre demande | garantie 2 ans | fixations comprises | semaine 23 | pour l'agence Nord | lot 2207-11",
    sections="Fournitures | Main-d'œuvre | Bâtiment A | Rez-de-chaussée | Abonnements | Frais ponctuels | Commande du 12 mai",
)
