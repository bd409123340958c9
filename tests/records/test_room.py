from importlib import import_module

import assay.records


def test_every_noun_is_found_where_it_lives():
    for name in assay.records.__all__:
        home = import_module(f"assay.records.{assay.records._HOME_OF[name]}")
        assert getattr(assay.records, name) is getattr(home, name)
        assert name in home.__all__
    assert set(assay.records._HOME_OF) == set(assay.records.__all__)
