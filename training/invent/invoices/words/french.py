"""French."""

from training.invent.invoices.words.base import words

FRENCH = words(
    captions="""
title: Facture | FACTURE | Facture de vente | Note d'honoraires | Facture client | Votre facture | Facture d'honoraires | Facture définitive | Relevé de facture
credit_title: Avoir | AVOIR | Facture d'avoir | Note de crédit
number: N° de facture | Facture n° | Numéro | N° facture | Facture N° | Réf. facture | N° | Numéro de pièce | Facture # | Numéro de facture | Facture no | No facture | N° pièce | N° document | Référence | Réf. | Dossier n° | N° de relevé | N° de ticket | Bordereau n° | Note n° | Décompte n° | N° d'affaire | Note d'honoraires n°
date: Date de facture | Date | Date d'émission | Date facture | Le | Facturé le | Émise le | Établie le | Date du document
due: Date d'échéance | Échéance | À payer avant le | Date limite de paiement | Échéance le | À régler avant le | Payable le | Prélèvement le
order: N° de commande | Votre commande | Bon de commande | Réf. commande | Commande n° | Votre référence | N° bon de commande | V/Réf
customer_id: N° client | Code client | Client n° | Réf. client | Numéro de client | Compte client | Référence client | N° de compte
delivery: Date de livraison | Livré le | Date de prestation | Date de la prestation
period: Période | Période de facturation | Période de prestation | Prestations du | Consommation du
vendor_tax: N° TVA | TVA intracommunautaire | N° TVA intracom. | N° de TVA | TVA | TVA intracom. | N° TVA intra | Identifiant TVA
customer_tax: Votre N° TVA | TVA client | N° TVA client | Votre n° TVA
bill_to: Facturé à | Adresse de facturation | Client | Destinataire | À l'attention de | Adressé à | Doit | Acheteur | Titulaire
ship_to: Livré à | Adresse de livraison | Livraison | Lieu de consommation | Lieu d'intervention | Réceptionnaire
contact: Contact | Votre interlocuteur | Suivi par | Affaire suivie par
pos: N° | Pos. | Ligne | #
code: Référence | Réf. | Code article | Article
description: Désignation | Description | Libellé | Prestation | Désignation des produits | Article | Nature | Produit | Détail
quantity: Quantité | Qté | Qté. | Nombre | Nb | Qté livrée | Heures
unit: Unité | U. | Un.
price: Prix unitaire | P.U. HT | PU HT | Prix unit. | Prix HT | P.U. | PU | Prix unit. HT | Tarif
discount: Remise | Rem. % | Rabais
rate: TVA | Taux TVA | TVA % | % TVA
amount: Montant HT | Total HT | Montant | Total | Prix total HT | Prix total | Total ligne | M. HT
subtotal: Total HT | Sous-total | Montant HT | Total hors taxes | Net HT | Base HT | Sous-total HT | Montant net HT | TOTAL H.T.
total_discount: Remise | Remise globale | Rabais | Escompte
tax: TVA | TVA {rate} | Montant TVA | T.V.A. {rate} | Total TVA | T.V.A. | TVA à {rate} | TVA ({rate}) | Taxe {rate}
total_tax: Total TVA | Montant TVA | TVA totale | TVA | Total taxes | Dont TVA
tax_within: dont TVA {rate} | Dont TVA | TVA incluse | TVA comprise {rate} | y compris TVA {rate}
trading: {brand} est une marque de {name} | {brand}, enseigne exploitée par {name} | {name}, nom commercial {brand} | Émis par {name} | Une société du groupe {name}
regards: Cordialement | Bien cordialement | Salutations distinguées | Signature | La direction
total: Total TTC | Montant TTC | Total général | TOTAL TTC | Net TTC | Total | NET À PAYER | Net à payer TTC | Montant total | TOTAL T.T.C.
prepaid: Acompte | Acompte versé | Déjà réglé | Avance | Paiements reçus
amount_due: Net à payer | Reste à payer | Montant dû | Solde à payer | Solde | Solde dû | Reste dû | À payer
carried: Report | À reporter | Total à reporter
base: Base HT | Montant HT | Base
iban: IBAN | Compte IBAN
bic: BIC | SWIFT
bank: Banque | Coordonnées bancaires | Domiciliation
page: Page {page} sur {pages} | Page {page}/{pages} | {page}/{pages}
phone: Tél. | Téléphone | Tél
register: RCS | SIRET | SIREN
reference: Nos réf. | Devis n° | Chantier | Contrat n° | Affaire
seller: Émetteur | Emetteur | Entreprise | Vendeur | Fournisseur | De | Prestataire | Émise par | Société
charge: Frais de port | Port et emballage | Livraison | Transport | Frais de livraison | Frais de dossier
attn: À l'attention de {name} | Service comptabilité | {name} | c/o {name} | Service achats
salutation: Monsieur | Madame | M. | Mme | Société
director: Gérant | Directeur | Président | Représentant légal
holder: Titulaire | Bénéficiaire | Titulaire du compte
detail: Prix net | Prix brut | Remise | Emballage | EAN | N° de série | Poids | Bon de livraison | Origine
gross: TTC | Montant TTC | Total TTC | Prix TTC
taxed: Montant TVA | TVA | Taxe
day: Date | Date prestation | Jour | Livré le
currency: Devise | Monnaie | Montants en
place_date: {place}, le {date} | Le {date} | À {place}, le {date} | {date}
other: Bénéficiaire du paiement | Représentant fiscal | Maître d'ouvrage | Agence | Transporteur | Payeur
previous: Solde précédent | Report de solde | Facture précédente | Ancien solde
payment: Votre règlement, merci | Paiements reçus | Règlements depuis la dernière facture
new_charges: Nouvelle facture | Montant de cette facture | Total de la période | Consommations du mois
reading: N° de compteur | Ancien index | Nouvel index | Écart
of_base: {rate} sur {base} | {rate} de {base} | {rate}, base {base}
named: Nom | Société | Raison sociale | Dénomination
street: Rue | Adresse | Adresse ligne 1 | N° et voie
town: Ville | CP / Ville | Localité | Adresse ligne 2
adjustment: Remise au niveau du document | Frais | Remises et charges | Déduction
banner: Document numérisé {code} | Visionneuse version {version} du {day} | Listes de codes au {day} | Original client | Reçu le {day} | Affichage des données de facture électronique {version} | Formulaire {code} | Profil : EN 16931, {version} | Document électronique sans signature | Copyright {day} | Archive n° {code}
order_title: Bon de commande | BON DE COMMANDE | Commande | Commande fournisseur | Ordre d'achat
ordered: Commandé | Qté commandée | Cdé
open: Reliquat | Reste à livrer | Solde
weight: Poids | Poids net | Pds brut | kg
lot: Code douane | Lot | Entrepôt | N° de série | Emplacement | Centre de coût
slip: Coupon de paiement | Talon à joindre à votre règlement | Papillon à détacher | Bordereau de paiement
span: du {first} au {last} | {first} au {last} | de {first} à {last}
own_order: Notre commande | N° de commande interne | Commande n° | Confirmation de commande | N° d'ordre | N/Réf
begin: Du | Arrivée | Début | Début de période | Date de début
end: Au | Départ | Fin | Fin de période | Date de fin
strange: Bon de livraison | Date de commande | N° de commande interne | Représentant | Code affaire | N° fournisseur | Mode de transport | SIRET | Chantier | N° de contrat | Compteur | N° de devis | N° de réservation | Référence interne | N° de police | Immatriculation | Date du devis | Date d'impression | Chambre | N° de projet | RCS | NAF | Bon d'intervention | PDL | N° de dossier | Chambre | N° PRM | Point de livraison | SIRET client | N° de devis | Affaire n°
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
pay_all: Merci de régler {total} avant le {due}. | La somme de {total} sera prélevée le {due}. | Montant de {total} payable le {due}.
summary: Le montant hors taxes est de {subtotal}, la TVA de {tax}, soit un total de {total}. | HT {subtotal}, TVA {tax}, TTC {total}.
note: Pas d'escompte pour paiement anticipé. | Indemnité forfaitaire pour frais de recouvrement : 40 €. | Les marchandises restent notre propriété jusqu'au paiement intégral. | Bon de livraison {code}, 12 colis, 148 kg | Horaires : du lundi au vendredi, 8h30 à 17h | Retour possible jusqu'au {day}. | Nouveaux tarifs à compter du {day}. | Votre prochaine facture sera émise le {day}. | Dont main d'œuvre {amount}. | Selon notre devis {code} du {day}. | Autorisation {code} valable jusqu'au {day}. | Vous économisez {amount} sur nos tarifs. | Garantie jusqu'au {day}, certificat {code}. | Passé le {day}, pénalité de {amount}. | SAS au capital de {amount}, RCS {code}.
""",
    articles="""
kWh fine 0.08 0.6: Électricité heures pleines | Gaz naturel | Acheminement
Go 1 15: Données mobiles supplémentaires | Stockage en ligne
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
